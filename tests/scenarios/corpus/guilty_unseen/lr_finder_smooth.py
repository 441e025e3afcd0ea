# gradwatch-corpus: kind=graph-held
# also: graph-unused
# holder: smooth | avg
"""LR range test; the loss is smoothed as in fastai."""
import math

import torch
from torch import nn


def smoother(beta=0.98):
    avg, t = 0.0, 0

    def update(value):
        nonlocal avg, t
        t += 1
        avg = beta * avg + (1 - beta) * value  # <- culprit
        return avg / (1 - beta ** t)

    return update


def lr_find(net, make_batch, lossfn, lo=1e-5, hi=1.0, n=160):
    opt = torch.optim.SGD(net.parameters(), lr=lo)
    gamma = (hi / lo) ** (1 / n)
    track = smoother()
    best, best_lr = math.inf, lo
    for _ in range(n):
        x, y = make_batch()
        loss = lossfn(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        s = track(loss)  # <- culprit
        lr = opt.param_groups[0]["lr"]
        if s < best:
            best, best_lr = s.item(), lr
        if s > 50 * best:
            break
        opt.param_groups[0]["lr"] = lr * gamma
    return best_lr


def batch():
    x = torch.randn(96, 3, 10, 10)
    return x, (x.mean((1, 2, 3)) > 0).long()


torch.manual_seed(31)
cnn = nn.Sequential(nn.Conv2d(3, 12, 3), nn.ReLU(), nn.Conv2d(12, 12, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 2))
print("suggested lr", lr_find(cnn, batch, nn.CrossEntropyLoss()) / 10)
