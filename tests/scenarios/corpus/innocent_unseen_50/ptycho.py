# gradwatch-corpus: kind=none
"""Ptychographic phase retrieval, complex object and probe, several positions to one update."""
from dataclasses import dataclass, field

import torch


@dataclass
class Setup:
    n: int = 32
    k: int = 16
    dx: int = 4
    lr: float = 0.04
    ep: int = 16
    grp: int = 5
    seed: int = 1


@dataclass
class State:
    O: torch.Tensor
    P: torch.Tensor
    part: list = field(default_factory=list)
    log: list = field(default_factory=list)

    def flush(self):
        J = torch.stack(self.part).mean()
        self.part.clear()
        return J


def scan(c):
    r = range(0, c.n - c.k + 1, c.dx)
    return [(i, j) for i in r for j in r]


def exit_wave(O, P, ij, k):
    i, j = ij
    return P * O[i:i + k, j:j + k]


def amp(psi):
    F = torch.fft.fftshift(torch.fft.fft2(psi, norm="ortho"))
    return torch.sqrt(F.real**2 + F.imag**2 + 1e-8)


def make(c):
    r = torch.linspace(-1, 1, c.n)
    y, x = torch.meshgrid(r, r, indexing="ij")
    mod = 1 - 0.4 * ((x**2 + y**2) < 0.3).float()
    phs = 0.8 * torch.sin(5 * x) * torch.cos(4 * y)
    O = torch.polar(mod, phs)
    q = torch.linspace(-1, 1, c.k)
    v, u = torch.meshgrid(q, q, indexing="ij")
    P = torch.polar(torch.exp(-3 * (u * u + v * v)), 1.5 * (u * u + v * v))
    return O, P


def aligned_err(O, R):
    s = torch.vdot(O.flatten(), R.flatten())
    O = O * s / s.abs()
    return ((O - R).abs().pow(2).sum() / R.abs().pow(2).sum()).sqrt().item()


c = Setup()
torch.manual_seed(c.seed)
O0, P0 = make(c)
pos = scan(c)
meas = [amp(exit_wave(O0, P0, ij, c.k)) for ij in pos]
meas = [(m + 0.01 * torch.randn_like(m)).clamp(min=0) for m in meas]

st = State(
    O=torch.ones(c.n, c.n, dtype=torch.cfloat).requires_grad_(),
    P=(P0.abs() * torch.exp(0.2j * torch.randn(c.k, c.k))).requires_grad_(),
)
opt = torch.optim.Adam([{"params": [st.O]}, {"params": [st.P], "lr": c.lr / 4}], lr=c.lr)

for e in range(c.ep):
    run = torch.zeros(())
    for t in torch.randperm(len(pos)).tolist():
        d = amp(exit_wave(st.O, st.P, pos[t], c.k)) - meas[t]
        l = d.pow(2).sum() / meas[t].pow(2).sum()
        st.part.append(l)
        run += l.detach()
        if len(st.part) == c.grp:
            J = st.flush()
            opt.zero_grad()
            J.backward()
            opt.step()
            st.log.append(J.detach())
    if st.part:
        st.part.clear()
    if e % 3 == 0:
        print(f"epoch {e:2d}  R {run / len(pos):.4f}  err {aligned_err(st.O.detach(), O0):.3f}")

print("updates", len(st.log), " J", round(st.log[0].item(), 4), "->", round(st.log[-1].item(), 4))
