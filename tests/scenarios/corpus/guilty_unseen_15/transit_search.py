# gradwatch-corpus: kind=graph-held
# holder: self.sum | meter.sum | self.meters[name].sum | self.meters["bce"].sum | board.meters["bce"].sum | self.board.meters["bce"].sum | board.meters["bce"]
# first-bad: 1
"""Vets phase-folded light curves for planetary transits with a small 1-d convnet.
Light curves are simulated on the fly (limb-darkened box + red noise), so there is nothing to download."""
import math
import random
from collections import OrderedDict

import torch
from torch import nn

SEED = 11
N_PHASE = 128
BATCH = 24
STEPS = 300


def box_dip(phase, centre, width, depth):
    x = (phase - centre) / width
    inside = (x.abs() < 1).float()
    return -depth * inside * (1.0 - 0.35 * (1.0 - (1.0 - x.clamp(-1, 1) ** 2).sqrt()))


def red_noise(n, length, gen):
    white = torch.randn(n, length, generator=gen)
    kernel = torch.exp(-torch.arange(9.0) / 3.0)
    kernel = (kernel / kernel.norm()).view(1, 1, -1)
    padded = nn.functional.pad(white.unsqueeze(1), (8, 0))
    return 0.5 * white + 0.5 * nn.functional.conv1d(padded, kernel).squeeze(1)


class LightCurves:
    """Endless stream of (flux, label); half of the stars carry a planet."""

    def __init__(self, batch, gen):
        self.batch = batch
        self.gen = gen
        self.phase = torch.linspace(-0.5, 0.5, N_PHASE)

    def __iter__(self):
        while True:
            label = (torch.rand(self.batch, generator=self.gen) < 0.5).float()
            centre = 0.1 * torch.randn(self.batch, 1, generator=self.gen)
            width = 0.03 + 0.05 * torch.rand(self.batch, 1, generator=self.gen)
            depth = 1.0 + 2.0 * torch.rand(self.batch, 1, generator=self.gen)
            dip = box_dip(self.phase.unsqueeze(0), centre, width, depth)
            flux = red_noise(self.batch, N_PHASE, self.gen) + label.unsqueeze(1) * dip
            yield flux - flux.median(dim=1, keepdim=True).values, label


class Vetter(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, ch, 7, stride=2, padding=3), nn.ReLU(),
            nn.Conv1d(ch, 2 * ch, 5, stride=2, padding=2), nn.ReLU(),
            nn.Conv1d(2 * ch, 2 * ch, 5, stride=2, padding=2), nn.ReLU(),
        )
        self.head = nn.Linear(4 * ch, 1)

    def forward(self, flux):
        z = self.body(flux.unsqueeze(1))
        z = torch.cat([z.mean(-1), z.amax(-1)], dim=1)
        return self.head(z).squeeze(1)


class Meter:
    def __init__(self, fmt="{:.3f}"):
        self.fmt = fmt
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)

    def __str__(self):
        return self.fmt.format(float(self.avg))


class Board:
    """Named meters, printed on one line."""

    def __init__(self):
        self.meters = OrderedDict()

    def push(self, n, **values):
        for name, value in values.items():
            meter = self.meters.setdefault(name, Meter())
            meter.update(value, n)

    def line(self):
        return "  ".join(f"{name} {meter}" for name, meter in self.meters.items())


class Search:
    def __init__(self, net, stream, board):
        self.net, self.stream, self.board = net, stream, board
        self.criterion = nn.BCEWithLogitsLoss()
        self.opt = torch.optim.Adam(net.parameters(), lr=2e-3)

    def one_batch(self, flux, label):
        logit = self.net(flux)
        loss = self.criterion(logit, label)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        hits = ((logit > 0) == (label > 0.5)).float().mean().item()
        self.board.push(len(label), bce=loss, acc=hits)  # <- culprit

    def run(self, steps):
        for i, (flux, label) in zip(range(steps), self.stream):
            self.one_batch(flux, label)
            if (i + 1) % 50 == 0:
                print(f"batch {i + 1:4d}  {self.board.line()}")


def main():
    random.seed(SEED)
    torch.manual_seed(SEED)
    gen = torch.Generator().manual_seed(SEED)
    net = Vetter()
    n_par = sum(math.prod(p.shape) for p in net.parameters())
    print(f"vetter with {n_par} parameters")
    Search(net, LightCurves(BATCH, gen), Board()).run(STEPS)


if __name__ == "__main__":
    main()
