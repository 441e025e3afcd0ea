# gradwatch-corpus: kind=graph-held
# holder: self.items | memory.items | memory
# first-bad: 1
"""Dark Experience Replay++ on permuted synthetic digits-like tasks."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

from memory import Reservoir

parser = argparse.ArgumentParser()
parser.add_argument("--alpha", type=float, default=0.3)
parser.add_argument("--beta", type=float, default=0.5)
parser.add_argument("--tasks", type=int, default=4)
parser.add_argument("--iters", type=int, default=35)
parser.add_argument("--buffer", type=int, default=4000)
args = parser.parse_args([])

torch.manual_seed(2)
CLASSES, DIM = 5, 64
means = 1.5 * torch.randn(CLASSES, DIM)
perms = [torch.randperm(DIM) for _ in range(args.tasks)]


def batch(task, n=24):
    y = torch.randint(0, CLASSES, (n,))
    x = means[y] + torch.randn(n, DIM)
    return x[:, perms[task]], y


model = nn.Sequential(nn.Linear(DIM, 96), nn.ReLU(), nn.LayerNorm(96),
                      nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, CLASSES))
opt = torch.optim.SGD(model.parameters(), lr=0.03)
memory = Reservoir(args.buffer)

for task in range(args.tasks):
    for it in range(args.iters):
        x, y = batch(task)
        opt.zero_grad()
        out = model(x)
        loss = F.cross_entropy(out, y)

        if len(memory) > 0:
            bx, _, bz = memory.draw(24)
            loss = loss + args.alpha * F.mse_loss(model(bx), bz)
            bx, by, _ = memory.draw(24)
            loss = loss + args.beta * F.cross_entropy(model(bx), by)

        loss.backward()
        opt.step()
        memory.add(x, y, out)  # <- culprit

    model.eval()
    with torch.no_grad():
        accs = []
        for t in range(task + 1):
            tx, ty = batch(t, 300)
            accs.append((model(tx).argmax(1) == ty).float().mean().item())
    model.train()
    print("after task", task, ["%.2f" % a for a in accs])
