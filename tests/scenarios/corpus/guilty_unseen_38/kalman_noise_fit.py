# gradwatch-corpus: kind=graph-chain
# holder: tracker._belief.cov | self._belief.cov | self.belief.cov | tracker.belief.cov | self.belief | tracker.belief | self._belief | tracker._belief | self._belief.cov
# first-bad: 1
"""Fit the process and sensor noise of a constant-velocity tracker by innovation likelihood."""
from __future__ import annotations

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Belief:
    mean: Tensor
    cov: Tensor

    @classmethod
    def prior(cls, dim: int, spread: float = 4.0) -> "Belief":
        return cls(torch.zeros(dim), spread * torch.eye(dim))

    def handover(self) -> "Belief":
        """The belief with which the next window starts."""
        return replace(self, mean=self.mean.detach())  # <- culprit


class Tracker(nn.Module):
    def __init__(self, dt: float = 0.1):
        super().__init__()
        eye, zero = torch.eye(2), torch.zeros(2, 2)
        self.register_buffer("F", torch.cat([torch.cat([eye, dt * eye], 1), torch.cat([zero, eye], 1)], 0))
        self.register_buffer("H", torch.cat([eye, zero], 1))
        self.log_q = nn.Parameter(torch.full((4,), -2.0))
        self.log_r = nn.Parameter(torch.full((2,), 0.5))
        self._belief = Belief.prior(4)

    @property
    def belief(self) -> Belief:
        return self._belief

    @belief.setter
    def belief(self, b: Belief):
        self._belief = b.handover()  # <- culprit

    def predict(self, b: Belief) -> Belief:
        Q = torch.diag(torch.exp(self.log_q))
        return Belief(self.F @ b.mean, self.F @ b.cov @ self.F.T + Q)

    def correct(self, b: Belief, z: Tensor) -> tuple[Belief, Tensor]:
        R = torch.diag(torch.exp(self.log_r))
        innov = z - self.H @ b.mean
        S = self.H @ b.cov @ self.H.T + R
        S_inv = torch.linalg.inv(S)
        K = b.cov @ self.H.T @ S_inv
        nll = 0.5 * (innov @ S_inv @ innov + torch.logdet(S) + 2 * math.log(2 * math.pi))
        mean = b.mean + K @ innov
        cov = b.cov - K @ self.H @ b.cov
        return Belief(mean, 0.5 * (cov + cov.T)), nll

    def window_nll(self, zs: Tensor) -> Tensor:
        b, total = self.belief, zs.new_zeros(())
        for z in zs:
            b, nll = self.correct(self.predict(b), z)
            total = total + nll
        self.belief = b  # <- culprit
        return total / len(zs)


def simulate(T: int, gen: torch.Generator, dt: float = 0.1, q: float = 0.05, r: float = 0.3) -> Tensor:
    pos, vel, out = torch.zeros(2), torch.tensor([1.0, -0.5]), []
    for _ in range(T):
        vel = vel + math.sqrt(q) * torch.randn(2, generator=gen)
        pos = pos + dt * vel
        out.append(pos + math.sqrt(r) * torch.randn(2, generator=gen))
    return torch.stack(out)


def main():
    gen = torch.Generator().manual_seed(5)
    window, n_windows = 6, 64
    track = simulate(window * n_windows, gen)

    tracker = Tracker()
    opt = torch.optim.Adam(tracker.parameters(), lr=0.03)
    for i, zs in enumerate(track.split(window)):
        loss = tracker.window_nll(zs)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if i % 10 == 0:
            q, r = tracker.log_q.exp().mean().item(), tracker.log_r.exp().mean().item()
            print(f"window {i:3d}: nll {loss.item():7.3f}   q {q:.3f}   r {r:.3f}")
    print("sensor std estimate", [round(math.sqrt(v), 3) for v in tracker.log_r.exp().tolist()])


if __name__ == "__main__":
    main()
