# gradwatch-corpus: kind=graph-held
# holder: self._idle | loop._idle | self.loop._idle | fit.loop._idle | loop
# first-bad: 1
"""Neural ODE on Van der Pol trajectories. Bookkeeping goes through a tiny run loop of our
own (no asyncio) so that slow reporting can wait until the machine has nothing better to do."""
from __future__ import annotations

import heapq
import itertools
from collections import deque
from functools import partial
from typing import Callable

import torch
from torch import Tensor, nn

torch.manual_seed(90)
Job = Callable[[], None]


class RunLoop:
    """Timers fire at a given tick; idle jobs run when the loop is told to wind down."""

    def __init__(self) -> None:
        self.now = 0
        self._timers: list[tuple[int, int, Job]] = []
        self._idle: deque[Job] = deque()
        self._seq = itertools.count()

    def call_at(self, tick: int, job: Job) -> None:
        heapq.heappush(self._timers, (tick, next(self._seq), job))

    def call_idle(self, job: Job) -> None:
        self._idle.append(job)  # <- culprit

    def tick(self) -> None:
        self.now += 1
        while self._timers and self._timers[0][0] <= self.now:
            heapq.heappop(self._timers)[2]()

    def drain(self) -> None:
        while self._idle:
            self._idle.popleft()()


class Field(nn.Module):
    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 2))
        self.evaluations = 0

    def forward(self, y: Tensor) -> Tensor:
        self.evaluations += 1
        return self.net(y)


def rk4(f: Callable[[Tensor], Tensor], y: Tensor, dt: float, steps: int) -> Tensor:
    path = []
    for _ in range(steps):
        k1 = f(y)
        k2 = f(y + 0.5 * dt * k1)
        k3 = f(y + 0.5 * dt * k2)
        k4 = f(y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path.append(y)
    return torch.stack(path)


def van_der_pol(y: Tensor, mu: float = 1.2) -> Tensor:
    x, v = y.unbind(-1)
    return torch.stack((v, mu * (1 - x * x) * v - x), -1)


class Journal:
    def __init__(self) -> None:
        self.rows: list[tuple[int, float, int]] = []

    def write(self, step: int, loss: Tensor, nfe: int) -> None:
        self.rows.append((step, round(loss.item(), 5), nfe))

    def summary(self) -> str:
        best = min(self.rows, key=lambda r: r[1])
        return f"{len(self.rows)} rows, best {best[1]} at step {best[0]}"


class Fit:
    dt, horizon = 0.1, 4

    def __init__(self, loop: RunLoop, journal: Journal) -> None:
        self.loop, self.journal = loop, journal
        self.field = Field()
        self.opt = torch.optim.Adam(self.field.parameters(), lr=6e-3)
        self.loop.call_at(100, self.lower_rate)

    def lower_rate(self) -> None:
        for group in self.opt.param_groups:
            group["lr"] *= 0.5
        self.loop.call_at(self.loop.now + 100, self.lower_rate)

    def targets(self, batch: int) -> tuple[Tensor, Tensor]:
        y0 = torch.rand(batch, 2) * 4 - 2
        with torch.no_grad():
            return y0, rk4(van_der_pol, y0, self.dt, self.horizon)

    def step(self, i: int) -> Tensor:
        y0, want = self.targets(48)
        self.field.evaluations = 0
        loss = (rk4(self.field, y0, self.dt, self.horizon) - want).square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.loop.call_idle(partial(self.journal.write, i, loss, self.field.evaluations))  # <- culprit
        return loss.detach()


def main(steps: int = 260) -> None:
    loop, journal = RunLoop(), Journal()
    fit = Fit(loop, journal)
    for i in range(steps):
        loss = fit.step(i)
        loop.tick()
        if i % 52 == 51:
            print(f"tick {loop.now:4d}  loss {loss:.5f}")
    loop.drain()
    print(journal.summary())


if __name__ == "__main__":
    main()
