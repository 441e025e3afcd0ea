# gradwatch-corpus: kind=none
"""Timbre autoencoder with orthogonal bottleneck; an averaged teacher gives a consistency
target and a small gallery keeps the worst spectra."""
import contextlib
import copy
import heapq
import itertools

import torch
from torch import nn
from torch.nn.utils import parametrize


class Cayley(nn.Module):
    def forward(self, raw):
        skew = raw.triu(1) - raw.triu(1).t()
        eye = torch.eye(len(raw))
        return torch.linalg.solve(eye + skew, eye - skew)


class TimbreNet(nn.Module):
    def __init__(self, bins=32, code=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, 24), nn.GELU(), nn.Linear(24, code))
        self.turn = nn.Linear(code, code, bias=False)
        parametrize.register_parametrization(self.turn, "weight", Cayley())
        self.dec = nn.Sequential(nn.Linear(code, 24), nn.GELU(), nn.Linear(24, bins))

    def encode(self, x):
        return self.turn(self.enc(x))

    def decode(self, z):
        return self.dec(z @ self.turn.weight)

    def forward(self, x):
        z = self.encode(x)
        return z, self.decode(z)


class Gallery:
    def __init__(self, size=12):
        self.size, self.best, self.tick = size, [], itertools.count()

    def offer(self, err, spectrum, recon):
        worst = int(err.argmax())
        item = (err[worst].item(), next(self.tick), spectrum[worst], recon[worst].detach().clone())
        if len(self.best) < self.size:
            heapq.heappush(self.best, item)
        else:
            heapq.heappushpop(self.best, item)


def notes(n, gen, bins=32):
    f0 = 1 + 3 * torch.rand(n, 1, generator=gen)
    decay = 0.3 + torch.rand(n, 1, generator=gen)
    k = torch.arange(1, 9).float()
    centre = f0 * k
    amp = torch.exp(-decay * (k - 1))
    grid = torch.arange(bins).float()
    spec = (amp[:, :, None] * torch.exp(-(grid - centre[:, :, None]) ** 2)).sum(1)
    return spec + 0.02 * torch.randn(n, bins, generator=gen)


@contextlib.contextmanager
def frozen(module):
    flags = [p.requires_grad for p in module.parameters()]
    module.requires_grad_(False)
    try:
        yield module
    finally:
        for p, flag in zip(module.parameters(), flags):
            p.requires_grad_(flag)


@torch.no_grad()
def follow(teacher, student, rate=0.05):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.lerp_(s, rate)


def main(steps=240, accumulate=2):
    torch.set_num_threads(1)
    torch.manual_seed(55)
    gen = torch.Generator().manual_seed(56)
    net = TimbreNet()
    teacher = copy.deepcopy(net)
    gallery, trace = Gallery(), []
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for step in range(steps):
        for _ in range(accumulate):
            x = notes(24, gen)
            with parametrize.cached():
                z, y = net(x)
                with frozen(teacher):
                    target = teacher.encode(x + 0.05 * torch.randn(x.shape, generator=gen))
                err = (y - x).pow(2).mean(dim=1)
                loss = err.mean() + 0.02 * (z - target).pow(2).mean()
                (loss / accumulate).backward()
            gallery.offer(err, x, y)
        trace.append(loss.detach())
        opt.step()
        opt.zero_grad()
        follow(teacher, net)
        if step % 40 == 39:
            print(f"{step + 1:4d} loss {torch.stack(trace[-40:]).mean():.5f} worst kept {max(gallery.best)[0]:.4f}")


if __name__ == "__main__":
    main()
