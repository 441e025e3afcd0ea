# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | prox.anchor
# first-bad: 1
"""Continual learning on rotated blobs with a proximal pull to an average of the weights."""
import math
import time

import torch
from torch import nn
import torch.nn.functional as F


class ProximalAnchor:
    def __init__(self, model, decay=0.98, strength=0.05):
        self.decay, self.strength = decay, strength
        self.anchor = {n: p.detach().clone() for n, p in model.named_parameters()}

    def refresh(self, model):
        for n, p in model.named_parameters():
            self.anchor[n] = torch.lerp(self.anchor[n], p, 1 - self.decay)  # <- culprit

    def penalty(self, model):
        return self.strength * sum(
            (p - self.anchor[n]).pow(2).sum() for n, p in model.named_parameters()
        )


class RotatedBlobs:
    def __init__(self, classes=4, seed=0):
        self.classes = classes
        self.g = torch.Generator().manual_seed(seed)

    def batch(self, n, task):
        y = torch.randint(0, self.classes, (n,), generator=self.g)
        ang = y * (2 * math.pi / self.classes) + 0.2 * task
        mu = torch.stack([ang.cos(), ang.sin()], 1) * 2
        return mu + 0.4 * torch.randn(n, 2, generator=self.g), y


def mlp(*sizes):
    mods = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        mods += [nn.Linear(a, b), nn.ELU()]
    return nn.Sequential(*mods[:-1])


def train_task(model, prox, opt, data, task, steps):
    clock = time.perf_counter()
    for _ in range(steps):
        x, y = data.batch(32, task)
        loss = F.cross_entropy(model(x), y) + prox.penalty(model)
        opt.zero_grad()
        loss.backward()
        opt.step()
        prox.refresh(model)
    return loss.item(), (time.perf_counter() - clock) / steps


def main():
    torch.manual_seed(9)
    data = RotatedBlobs(seed=9)
    model = mlp(2, 16, 4)
    prox = ProximalAnchor(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for task in range(7):
        loss, sec = train_task(model, prox, opt, data, task, 60)
        with torch.no_grad():
            accs = []
            for t in range(task + 1):
                x, y = data.batch(100, t)
                accs.append((model(x).argmax(1) == y).float().mean().item())
        print(f"task {task} loss {loss:.3f} {1e3 * sec:.2f} ms/step", [round(a, 2) for a in accs])


if __name__ == "__main__":
    main()
