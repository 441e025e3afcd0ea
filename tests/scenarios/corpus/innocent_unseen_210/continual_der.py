# gradwatch-corpus: kind=none
"""Dark experience replay + EWC on rotated blobs; tasks arrive in sequence."""
import random

import torch
from torch import nn
import torch.nn.functional as F


class Reservoir:
    def __init__(self, size):
        self.size, self.n, self.items = size, 0, []

    def add(self, x, y, logits):
        for row in zip(x, y, logits):
            row = tuple(r.clone() for r in row)
            self.n += 1
            if len(self.items) < self.size:
                self.items.append(row)
            else:
                j = random.randrange(self.n)
                if j < self.size:
                    self.items[j] = row

    def draw(self, k):
        return (torch.stack(c) for c in zip(*random.sample(self.items, k)))


class Learner(nn.Module):
    def __init__(self, d=20, c=5):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(d, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.cls = nn.Linear(64, c)
        self.rot = nn.Linear(64, d)

    def forward(self, x):
        f = self.backbone(x)
        return self.cls(f), self.rot(f)


class EWC:
    def __init__(self):
        self.anchor, self.fisher = None, None

    def penalty(self, model):
        if self.anchor is None:
            return torch.zeros(())
        return sum((self.fisher[n] * (p - self.anchor[n]).pow(2)).sum() for n, p in model.named_parameters() if n in self.fisher)

    def consolidate(self, model, loader):
        fisher = {n: torch.zeros_like(p) for n, p in model.named_parameters() if not n.startswith("rot")}
        for x, y in loader:
            model.zero_grad()
            F.cross_entropy(model(x)[0], y).backward()
            for n, p in model.named_parameters():
                if n in fisher:
                    fisher[n] += p.grad.pow(2)
        model.zero_grad()
        self.fisher = fisher
        self.anchor = {n: p.detach().clone() for n, p in model.named_parameters()}


def task(k, n, bs=32):
    g = torch.Generator().manual_seed(50 + k)
    centers = torch.randn(5, 20, generator=g) * 2
    for _ in range(n):
        y = torch.randint(0, 5, (bs,), generator=g)
        yield centers[y] + torch.randn(bs, 20, generator=g), y


def run():
    torch.manual_seed(1)
    random.seed(1)
    model, mem, ewc = Learner(), Reservoir(200), EWC()
    shared = list(model.backbone.parameters())
    opt = torch.optim.SGD(model.parameters(), lr=0.03)
    for k in range(3):
        for i, (x, y) in enumerate(task(k, 40)):
            logits, rec = model(x)
            main = F.cross_entropy(logits, y) + 0.05 * ewc.penalty(model)
            aux = F.mse_loss(rec, x)
            if mem.items:
                bx, by, bl = mem.draw(min(32, len(mem.items)))
                out, _ = model(bx)
                main = main + 0.3 * F.mse_loss(out, bl) + 0.5 * F.cross_entropy(out, by)
            opt.zero_grad()
            main.backward(retain_graph=True)
            main_g = [p.grad.clone() for p in shared]
            aux.backward()
            for p, g in zip(shared, main_g):
                a = p.grad - g
                dot = (a * g).sum()
                if dot < 0:
                    a = a - dot / (g.pow(2).sum() + 1e-12) * g
                p.grad.copy_(g + 0.2 * a)
            opt.step()
            mem.add(x, y, logits.detach())
            if i == 39:
                print(f"task {k} loss {main.item():.3f} aux {aux.item():.3f} mem {len(mem.items)}")
        ewc.consolidate(model, task(k, 5))


if __name__ == "__main__":
    run()
