# gradwatch-corpus: kind=none
# about: stages pile up and every forward walks all of them, but finished stages are frozen and run without recording; only the newest stage has a graph
"""Boosting with small networks: every stage learns what the sum of the earlier ones leaves over (kiln temperatures)."""
import contextlib

import torch
from torch import nn


class Ensemble:
    def __init__(self, make, shrink):
        self.make, self.shrink = make, shrink
        self.layers, self.open = [], None
        self.log = []

    @contextlib.contextmanager
    def stage(self):
        self.open = self.make()
        yield self.open
        self.layers.append(self.open.requires_grad_(False).eval())
        self.open = None

    def __call__(self, x):
        total = torch.zeros(len(x), 1)
        for net in self.layers:
            total = total + self.shrink * net(x)
        if self.open is not None:
            total = total + self.shrink * self.open(x)
        return total

    def note(self, **kw):
        self.log.append({k: v.detach() if torch.is_tensor(v) else v for k, v in kw.items()})


def kiln(n, rng):
    x = torch.rand(n, 4, generator=rng) * 2 - 1
    y = torch.sin(4 * x[:, :1]) + x[:, 1:2] * x[:, 2:3] + 0.5 * (x[:, 3:] > 0.2).float()
    return x, y + 0.05 * torch.randn(n, 1, generator=rng)


def main(stages=16, updates=28):
    torch.manual_seed(9)
    rng = torch.Generator().manual_seed(9)
    test = kiln(400, rng)
    pots = Ensemble(lambda: nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 1)), shrink=0.5)
    for s in range(stages):
        with pots.stage() as fresh:
            opt = torch.optim.Adam(fresh.parameters(), lr=0.02)
            for _ in range(updates):
                x, y = kiln(96, rng)
                rest = (pots(x) - y).square().mean()
                opt.zero_grad()
                rest.backward()
                opt.step()
                pots.note(stage=s, rest=rest)
        with torch.no_grad():
            score = (pots(test[0]) - test[1]).square().mean()
        mean = torch.stack([e["rest"] for e in pots.log[-updates:]]).mean()
        print(f"stage {s:2d} train {mean.item():.4f} test {score.item():.4f}", flush=True)


if __name__ == "__main__":
    main()
