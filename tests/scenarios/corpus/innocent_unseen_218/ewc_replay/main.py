# gradwatch-corpus: kind=none
# Online EWC + logit replay, rotating gaussian classes.
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from continual import EWC, Replay

torch.manual_seed(0)
random.seed(0)

D, C = 20, 4
base = 2.0 * torch.randn(C, D)


def rotation(task):
    A = torch.randn(D, D, generator=torch.Generator().manual_seed(task))
    return torch.matrix_exp(0.2 * task * (A - A.t()) / D ** 0.5)


def batches(task, n, bs=32):
    R = rotation(task)
    for _ in range(n):
        y = torch.randint(0, C, (bs,))
        yield (base[y] + torch.randn(bs, D)) @ R, y


model = nn.Sequential(nn.Linear(D, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, C))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.8)
ewc, replay = EWC(model, lam=20.0), Replay(400)
history = {}

for task in range(4):
    meter = []
    for x, y in batches(task, 30):
        logits = model(x)
        ce = F.cross_entropy(logits, y)
        pen = ewc.penalty()
        loss = ce + pen
        if task > 0:
            rx, ry, rz = replay.sample(32)
            loss = loss + 0.5 * F.mse_loss(model(rx), rz)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.append((ce.detach(), pen.detach()))
        replay.push(x[:6], y[:6], logits[:6])
    history[task] = [torch.stack(col).mean().item() for col in zip(*meter)]
    ewc.consolidate(batches(task, 2, bs=64))
    with torch.no_grad():
        acc = [(model(x).argmax(1) == y).float().mean().item()
               for t in range(task + 1) for x, y in batches(t, 1, 400)]
    print(task, history[task], ["%.2f" % a for a in acc])
