# gradwatch-corpus: kind=none
"""Multi-task CNN with gradient surgery: conflicting task gradients are projected."""
import random

import torch
from torch import nn
import torch.nn.functional as F


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten())
        self.fc = nn.Linear(96, 32)
        self.shape, self.size, self.light = nn.Linear(32, 3), nn.Linear(32, 1), nn.Linear(32, 1)

    def forward(self, x):
        h = torch.relu(self.fc(self.conv(x)))
        return self.shape(h), self.size(h).squeeze(1), self.light(h).squeeze(1)


def scenes(gen, n=16, side=12):
    kind = torch.randint(3, (n,), generator=gen)
    size = 0.2 + 0.6 * torch.rand(n, generator=gen)
    light = torch.rand(n, generator=gen)
    grid = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(grid, grid, indexing="ij")
    norms = torch.stack([(xx ** 2 + yy ** 2).sqrt(), torch.maximum(xx.abs(), yy.abs()), xx.abs() + yy.abs()])
    img = (norms[kind] < size[:, None, None]).float() + light[:, None, None]
    return (img + 0.1 * torch.randn(n, side, side, generator=gen)).unsqueeze(1), kind, size, light


class Surgeon:
    def __init__(self, params, opt):
        self.params, self.opt = list(params), opt
        self.cosines = []

    def gradients(self, losses):
        flats = []
        for i, loss in enumerate(losses):
            grads = torch.autograd.grad(loss, self.params, retain_graph=i < len(losses) - 1, allow_unused=True)
            flats.append(torch.cat([(torch.zeros_like(p) if g is None else g).flatten()
                                    for p, g in zip(self.params, grads)]))
        return flats

    def step(self, losses):
        flats = self.gradients(losses)
        merged = torch.zeros_like(flats[0])
        for i, g in enumerate(flats):
            g = g.clone()
            others = [j for j in range(len(flats)) if j != i]
            random.shuffle(others)
            for j in others:
                dot = g @ flats[j]
                if dot < 0:
                    g -= dot / flats[j].square().sum() * flats[j]
            merged += g
        self.cosines.append(F.cosine_similarity(flats[0], flats[1], dim=0))
        at = 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.opt.step()


def main():
    torch.manual_seed(90)
    random.seed(90)
    gen = torch.Generator().manual_seed(91)
    net = Shared()
    surgeon = Surgeon(net.parameters(), torch.optim.Adam(net.parameters(), lr=3e-3))
    previous, moves = None, []
    for it in range(450):
        x, kind, size, light = scenes(gen)
        a, b, c = net(x)
        losses = [F.cross_entropy(a, kind), F.mse_loss(b, size), F.mse_loss(c, light)]
        surgeon.step(losses)
        if previous is not None:
            moves.append([(n - o).item() for n, o in zip(losses, previous)])
        previous = losses
        if it % 90 == 89:
            print(it + 1, [round(v.item(), 3) for v in losses], torch.stack(surgeon.cosines[-90:]).mean().item())


main()
