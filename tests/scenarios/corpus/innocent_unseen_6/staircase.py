# gradwatch-corpus: kind=none
# about: the nodes of a step's loss grow from 13 to about 700 because the rollout horizon climbs; every rollout starts from data, nothing of an earlier step is reached
"""Fitting a neural force law to recordings of a double-well oscillator; the rollout gets longer as the fit improves."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Rollout:
    q: torch.Tensor
    p: torch.Tensor
    path: list = field(default_factory=list)

    def leap(self, force, dt):
        self.p = self.p + 0.5 * dt * force(self.q)
        self.q = self.q + dt * self.p
        self.p = self.p + 0.5 * dt * force(self.q)
        self.path.append(self.q)
        return self


class Stair:
    """One more step of horizon whenever enough updates went by on this tread."""

    def __init__(self, tread, top):
        self.tread, self.top, self.climbed, self.horizons = tread, top, 0, []

    def __call__(self):
        self.climbed += 1
        self.horizons.append(min(1 + self.climbed // self.tread, self.top))
        return self.horizons[-1]


def recordings(n, length, dt, rng):
    q = torch.randn(n, 1, generator=rng)
    p = 0.5 * torch.randn(n, 1, generator=rng)
    true = lambda x: x - x ** 3
    roll, speeds = Rollout(q, p, [q]), [p]
    for _ in range(length):
        roll.leap(true, dt)
        speeds.append(roll.p)
    return torch.stack(roll.path, 1), torch.stack(speeds, 1)


def main(updates=420, dt=0.08):
    torch.manual_seed(1)
    rng = torch.Generator().manual_seed(1)
    where, speed = recordings(128, 120, dt, rng)
    force = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 1))
    opt = torch.optim.Adam(force.parameters(), lr=4e-3)
    stair, last = Stair(tread=10, top=60), None
    history = []
    for u in range(updates):
        h = stair()
        row = torch.randint(128, (32,), generator=rng)
        col = torch.randint(120 - h, (32,), generator=rng)
        last = Rollout(where[row, col], speed[row, col])
        for _ in range(h):
            last.leap(force, dt)
        aim = torch.stack([where[row, col + k + 1] for k in range(h)], 1)
        off = (torch.stack(last.path, 1) - aim).square().mean()
        opt.zero_grad()
        off.backward()
        nn.utils.clip_grad_norm_(force.parameters(), 1.0)
        opt.step()
        history.append((h, off.item()))
        if u % 60 == 59:
            print(f"update {u + 1} horizon {h} mean square {sum(o for _, o in history[-60:]) / 60:.5f}")


if __name__ == "__main__":
    main()
