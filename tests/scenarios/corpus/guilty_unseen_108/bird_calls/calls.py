"""Synthetic bird calls: chirp, trill, two-tone, buzz - in several clip lengths."""
import math

import torch


def chirp(t, f):
    return torch.sin(2 * math.pi * (f * t + 1500 * t * t))


def trill(t, f):
    return torch.sin(2 * math.pi * f * t) * (1 + torch.sin(2 * math.pi * 30 * t))


def two_tone(t, f):
    half = t.numel() // 2
    g = torch.where(torch.arange(t.numel()) < half, f, 1.5 * f)
    return torch.sin(2 * math.pi * g * t)


def buzz(t, f):
    return torch.sign(torch.sin(2 * math.pi * 0.25 * f * t))


class CallBook:
    species = (chirp, trill, two_tone, buzz)
    lengths = (512, 640, 768, 896, 1024)
    rate = 8000

    def __init__(self, seed, per_length):
        g = torch.Generator().manual_seed(seed)
        self.clips = {}
        for n in self.lengths:
            t = torch.arange(n) / self.rate
            xs, ys = [], []
            for k in range(per_length):
                f = 700 + 900 * torch.rand((), generator=g)
                y = k % len(self.species)
                xs.append(self.species[y](t, f) + 0.3 * torch.randn(n, generator=g))
                ys.append(y)
            self.clips[n] = torch.stack(xs), torch.tensor(ys)

    def shuffled(self, batch):
        """One batch of each length in turn, so that no epoch ends on a single length."""
        order = {n: torch.randperm(len(y)).split(batch) for n, (_, y) in self.clips.items()}
        rounds = len(next(iter(order.values())))
        for r in range(rounds):
            for n, parts in order.items():
                x, y = self.clips[n]
                yield x[parts[r]], y[parts[r]]
