# gradwatch-corpus: kind=graph-held
# holder: self.rejections | screen.rejections | self.screen.rejections
# first-bad: 1
# notice: 8
"""Fitting a pair-potential network to forces, with frame screening.

Each optimizer step takes a few frames from different thermostats; a frame whose
force residual is out of proportion raises FrameRejected and doesn't contribute.
Rejections are summarised at the end so that the data team can look at the runs.
"""
import argparse
from collections import Counter

import torch
from torch import nn


class FrameRejected(Exception):
    def __init__(self, source, ratio):
        super().__init__(f"{source}: residual x{ratio:.1f}")
        self.source = source
        self.ratio = ratio


class PairPotential(nn.Module):
    def __init__(self, centers=16, width=24):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.5, 4.0, centers))
        self.net = nn.Sequential(nn.Linear(centers, width), nn.SiLU(), nn.Linear(width, 1))

    def energy(self, pos):
        i, j = torch.triu_indices(len(pos), len(pos), offset=1)
        dist = (pos[i] - pos[j]).norm(dim=-1)
        basis = torch.exp(-4 * (dist[:, None] - self.mu) ** 2)
        return self.net(basis).sum()

    def forces(self, pos):
        pos = pos.clone().requires_grad_(True)
        return -torch.autograd.grad(self.energy(pos), pos, create_graph=True)[0]


def morse_forces(pos):
    pos = pos.clone().requires_grad_(True)
    i, j = torch.triu_indices(len(pos), len(pos), offset=1)
    r = (pos[i] - pos[j]).norm(dim=-1)
    e = ((1 - torch.exp(-(r - 1.5))) ** 2).sum()
    return -torch.autograd.grad(e, pos)[0]


class Thermostats:
    """Frames from a cold, a warm and a hot run; labels of the hot run are noisy."""

    levels = {"cold": 0.05, "warm": 0.3, "hot": 9.0}

    def __init__(self, atoms, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.base = 1.5 * torch.randn(atoms, 3, generator=self.gen)

    def frames(self):
        for source, noise in self.levels.items():
            pos = self.base + 0.2 * torch.randn(self.base.shape, generator=self.gen)
            label = morse_forces(pos)
            yield source, pos, label + noise * torch.randn(label.shape, generator=self.gen)


class FrameScreen:
    def __init__(self, limit, scale):
        self.limit, self.scale = limit, scale
        self.rejections = []

    def check(self, source, residual):
        ratio = residual.sqrt().item() / self.scale
        if ratio > self.limit:
            raise FrameRejected(source, ratio)
        return residual

    def record(self, rejection):
        self.rejections.append(rejection)  # <- culprit

    def summary(self):
        count = Counter(r.source for r in self.rejections)
        worst = max((r.ratio for r in self.rejections), default=0.0)
        return f"rejected {dict(count)}, worst ratio {worst:.1f}"


class Fitter:
    def __init__(self, model, screen, lr):
        self.model, self.screen = model, screen
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def frame_loss(self, source, pos, label):
        predicted = self.model.forces(pos)
        residual = (predicted - label).pow(2).mean()
        return self.screen.check(source, residual)

    def step(self, frames):
        self.opt.zero_grad()
        total = 0.0
        for source, pos, label in frames:
            try:
                loss = self.frame_loss(source, pos, label)
            except FrameRejected as rejection:
                self.screen.record(rejection)  # <- culprit
                continue
            loss.backward()
            total += loss.item()
        self.opt.step()
        return total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--limit", type=float, default=2.0)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(23)
    data = Thermostats(8, 24)
    screen = FrameScreen(args.limit, scale=2.0)
    fitter = Fitter(PairPotential(), screen, 3e-3)
    for step in range(args.steps):
        total = fitter.step(data.frames())
        if step % 20 == 0:
            print(f"step {step} residual {total:.4f} rejected so far {len(screen.rejections)}")
    print(screen.summary())


if __name__ == "__main__":
    main()
