# gradwatch-corpus: kind=none
"""Edibility, habitat and season of mushrooms: projecting conflicting gradients (PCGrad)."""
import random

import torch
from torch import nn
from torch.nn import functional as F


class MushroomNet(nn.Module):
    def __init__(self, traits=18):
        super().__init__()
        self.base = nn.Sequential(nn.Linear(traits, 32), nn.ReLU(), nn.Linear(32, 24), nn.ReLU())
        self.edible = nn.Linear(24, 2)
        self.habitat = nn.Linear(24, 5)
        self.season = nn.Linear(24, 4)

    def forward(self, x):
        h = self.base(x)
        return self.edible(h), self.habitat(h), self.season(h)


class PCGrad:
    def __init__(self, opt, seed=0):
        self.opt = opt
        self.rng = random.Random(seed)
        self.params = [p for grp in opt.param_groups for p in grp["params"]]
        self.conflicts = []

    def flat(self, loss, last):
        grads = torch.autograd.grad(loss, self.params, retain_graph=not last, allow_unused=True)
        return torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for p, g in zip(self.params, grads)])

    def step(self, losses):
        grads = [self.flat(l, i == len(losses) - 1) for i, l in enumerate(losses)]
        merged, count = torch.zeros_like(grads[0]), 0
        for i, g in enumerate(grads):
            g = g.clone()
            others = [j for j in range(len(grads)) if j != i]
            self.rng.shuffle(others)
            for j in others:
                dot = g @ grads[j]
                if dot < 0:
                    g -= dot / (grads[j] @ grads[j] + 1e-12) * grads[j]
                    count += 1
            merged += g
        self.conflicts.append(count)
        self.opt.zero_grad()
        at = 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.opt.step()


def foray(n, gen, w):
    x = (torch.rand(n, 18, generator=gen) < 0.5).float()
    score = (x - 0.5) @ w
    return x, (score[:, :2].argmax(1), score[:, 2:7].argmax(1), score[:, 7:].argmax(1))


def main(steps=440):
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(3)
    w = torch.randn(18, 11, generator=gen)
    net = MushroomNet()
    pc = PCGrad(torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8))
    history = []
    for step in range(steps):
        x, ys = foray(40, gen, w)
        losses = [F.cross_entropy(o, y) for o, y in zip(net(x), ys)]
        pc.step(losses)
        history.append([float(l) for l in losses])
        if step % 110 == 0:
            print(step, [round(v, 3) for v in history[-1]], "conflicts", sum(pc.conflicts[-20:]))


if __name__ == "__main__":
    main()
