# gradwatch-corpus: kind=none
"""One trunk, three heads for used cars: price, days on the lot, defect. Conflicting gradients are projected."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(2)
torch.manual_seed(2)

TASKS = ["price", "days", "defect"]


class CarNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 48), nn.ReLU(), nn.Linear(48, 32), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(32, 1) for t in TASKS})

    def forward(self, x):
        h = self.trunk(x)
        return {t: self.heads[t](h)[:, 0] for t in TASKS}


def cars(n):
    x = torch.randn(n, 10)
    price = x[:, 0] - 0.7 * x[:, 1] + 0.3 * x[:, 2] ** 2
    days = torch.tanh(price) + 0.5 * x[:, 4]
    defect = (x[:, 1] + x[:, 5] - 0.5 * price > 0).float()
    return x, {"price": price, "days": days, "defect": defect}


def task_losses(out, y):
    return {
        "price": F.huber_loss(out["price"], y["price"]),
        "days": F.mse_loss(out["days"], y["days"]),
        "defect": F.binary_cross_entropy_with_logits(out["defect"], y["defect"]),
    }


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def project(vectors):
    merged = torch.zeros_like(vectors[TASKS[0]])
    conflicts = 0
    for t in TASKS:
        g = vectors[t].clone()
        others = [o for o in TASKS if o != t]
        random.shuffle(others)
        for o in others:
            dot = torch.dot(g, vectors[o])
            if dot < 0:
                g -= dot / (vectors[o].norm() ** 2 + 1e-9) * vectors[o]
                conflicts += 1
        merged += g
    return merged, conflicts


net = CarNet()
shared = list(net.trunk.parameters())
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
table = []

for step in range(130):
    x, y = cars(64)
    losses = task_losses(net(x), y)
    opt.zero_grad()
    vectors = {}
    for n, t in enumerate(TASKS):
        own = list(net.heads[t].parameters())
        more = n < len(TASKS) - 1
        grads = torch.autograd.grad(losses[t], shared + own, retain_graph=more)
        vectors[t] = flat(grads[:len(shared)])
        for p, g in zip(own, grads[len(shared):]):
            p.grad = g
    merged, conflicts = project(vectors)
    at = 0
    for p in shared:
        p.grad = merged[at:at + p.numel()].view_as(p).clone()
        at += p.numel()
    opt.step()
    row = {"step": step, "conflicts": conflicts}
    row.update({t: losses[t].item() for t in TASKS})
    table.append(row)

cols = ["step"] + TASKS + ["conflicts"]
print("  ".join(c.rjust(9) for c in cols))
for i in range(0, len(table), 26):
    part = table[i:i + 26]
    cells = [str(part[0]["step"])]
    for c in cols[1:]:
        cells.append("%.4f" % (sum(r[c] for r in part) / len(part)))
    print("  ".join(c.rjust(9) for c in cells))
