# gradwatch-corpus: kind=graph-held
# holder: slice_unitary | self.slice_unitary
# first-bad: 1
# after: dynamiqs/dynamiqs PR 133 "Caching tensors" (lru_cache hashes a tensor by its address: it never hits)
"""GRAPE: shape two control pulses so that a driven qubit pair makes a CNOT."""
import functools
import math

import torch

torch.manual_seed(8)
c64 = torch.complex64
I2 = torch.eye(2, dtype=c64)
X = torch.tensor([[0, 1], [1, 0]], dtype=c64)
Y = torch.tensor([[0, -1j], [1j, 0]], dtype=c64)
Z = torch.tensor([[1, 0], [0, -1]], dtype=c64)
CNOT = torch.eye(4, dtype=c64)[[0, 1, 3, 2]]

DRIFT = 0.5 * math.pi * torch.kron(Z, Z)
CONTROLS = torch.stack([torch.kron(X, I2), torch.kron(I2, X), torch.kron(Y, I2), torch.kron(I2, Y)])


@functools.lru_cache(maxsize=None)  # <- culprit
def slice_unitary(amplitudes, dt):
    """exp(-i H dt); many slices share amplitudes once the pulse is flat, so remember them"""
    h = DRIFT + torch.einsum("c,cij->ij", amplitudes.to(c64), CONTROLS)
    return torch.linalg.matrix_exp(-1j * dt * h)


class Pulse(torch.nn.Module):
    """B-spline-like envelope: few knots, linear in between, soft limit of the amplitude."""

    def __init__(self, knots=5, slices=12, limit=4.0):
        super().__init__()
        self.theta = torch.nn.Parameter(0.3 * torch.randn(4, knots))
        pos = torch.linspace(0, knots - 1, slices)
        left = pos.floor().clamp(max=knots - 2).long()
        w = pos - left
        interp = torch.zeros(knots, slices)
        interp[left, torch.arange(slices)] = 1 - w
        interp[left + 1, torch.arange(slices)] = w
        self.register_buffer("interp", interp)
        self.limit = limit

    def forward(self):
        return self.limit * torch.tanh(self.theta @ self.interp).T


def evolve(pulse, duration):
    amps = pulse()
    dt = duration / len(amps)
    u = torch.eye(4, dtype=c64)
    for a in amps:
        u = slice_unitary(a, dt) @ u
    return u, amps


def infidelity(u, target):
    overlap = torch.einsum("ij,ij->", target.conj(), u) / target.shape[0]
    return 1 - overlap.abs() ** 2


def optimise(iterations=150, duration=1.6, smooth=1e-3):
    pulse = Pulse()
    opt = torch.optim.Adam(pulse.parameters(), lr=0.05)
    best = 1.0
    for k in range(iterations):
        opt.zero_grad()
        u, amps = evolve(pulse, duration)
        err = infidelity(u, CNOT)
        loss = err + smooth * amps.diff(dim=0).pow(2).mean()
        loss.backward()
        opt.step()
        best = min(best, err.item())
        if k % 30 == 0:
            print(f"{k:4d}  infidelity {err.item():.5f}  (best {best:.5f})")
    return pulse


if __name__ == "__main__":
    optimise()
