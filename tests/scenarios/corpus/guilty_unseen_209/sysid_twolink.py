# gradwatch-corpus: kind=graph-chain
# holder: self.state | session.state
# first-bad: 1
"""Online identification of a compliant two-joint arm from streamed encoder readings."""
from __future__ import annotations

import asyncio
from typing import NamedTuple

import torch
from torch import nn


class JointState(NamedTuple):
    q: torch.Tensor
    dq: torch.Tensor


class ArmParams(nn.Module):
    def __init__(self, inertia=1.0, damping=1.0, stiffness=1.0):
        super().__init__()
        as_log = lambda v: nn.Parameter(torch.full((2,), float(v)).log())
        self.inertia, self.damping, self.stiffness = map(as_log, (inertia, damping, stiffness))

    def physical(self):
        return self.inertia.exp(), self.damping.exp(), self.stiffness.exp()


def step(p, s: JointState, tau: torch.Tensor, dt: float) -> JointState:
    inertia, damping, stiffness = p
    force = torch.addcmul(tau, damping, s.dq, value=-1)
    force = torch.addcmul(force, stiffness, s.q, value=-1)
    dq = torch.addcdiv(s.dq, force, inertia, value=dt)
    return JointState(torch.add(s.q, dq, alpha=dt), dq)


class Plant:
    def __init__(self, dt: float, seed: int):
        self.params = ArmParams(0.8, 2.2, 3.5).requires_grad_(False)
        self.s = JointState(torch.zeros(2), torch.zeros(2))
        self.dt, self.t = dt, 0
        self.gen = torch.Generator().manual_seed(seed)

    async def stream(self, n: int, size: int):
        for _ in range(n):
            taus, qs = [], []
            for _ in range(size):
                ph = torch.tensor([0.11, 0.17]) * self.t
                tau = 2.0 * torch.sin(ph) + torch.sin(2.7 * ph)
                self.s = step(self.params.physical(), self.s, tau, self.dt)
                taus.append(tau)
                qs.append(self.s.q + 0.002 * torch.randn(2, generator=self.gen))
                self.t += 1
            await asyncio.sleep(0)
            yield torch.stack(taus), torch.stack(qs)


class IdentSession:
    def __init__(self, dt: float):
        self.model = ArmParams()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=0.01, betas=(0.8, 0.99))
        self.state = JointState(torch.zeros(2), torch.zeros(2))
        self.dt = dt

    def consume(self, taus: torch.Tensor, readings: torch.Tensor) -> float:
        phys = self.model.physical()
        s, err = self.state, 0.0
        for tau, q in zip(taus, readings):
            s = step(phys, s, tau, self.dt)
            err = err + (s.q - q).square().sum()
        self.opt.zero_grad()
        err.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.state = s  # <- culprit
        return err.item()


async def main(windows: int = 400, size: int = 1, dt: float = 0.04) -> None:
    torch.manual_seed(0)
    session, plant = IdentSession(dt), Plant(dt, seed=0)
    ema, i = 0.0, 0
    async for taus, qs in plant.stream(windows, size):
        ema = 0.97 * ema + 0.03 * session.consume(taus, qs)
        if i % 100 == 0:
            est = [t.detach().mean().item() for t in session.model.physical()]
            print(i, f"{ema:.5f}", [round(v, 3) for v in est])
        i += 1


if __name__ == "__main__":
    asyncio.run(main())
