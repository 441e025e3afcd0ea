# gradwatch-corpus: kind=none
"""Gradient surgery (PCGrad) for three heads on a shared trunk; synthetic molecule descriptors."""
import random
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn


def trunk(d, width):
    return nn.Sequential(nn.Linear(d, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())


class MultiProperty(nn.Module):
    def __init__(self, d=30, width=48):
        super().__init__()
        self.trunk = trunk(d, width)
        self.heads = nn.ModuleDict({
            "solubility": nn.Linear(width, 1),
            "toxicity": nn.Linear(width, 1),
            "scaffold": nn.Linear(width, 5),
        })

    def forward(self, x):
        h = self.trunk(x)
        return {name: head(h) for name, head in self.heads.items()}


LOSSES = {
    "solubility": lambda out, t: F.mse_loss(out.squeeze(1), t),
    "toxicity": lambda out, t: F.binary_cross_entropy_with_logits(out.squeeze(1), t),
    "scaffold": lambda out, t: F.cross_entropy(out, t),
}


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def unflat(vector, like):
    pieces = []
    start = 0
    for p in like:
        pieces.append(vector[start:start + p.numel()].view_as(p))
        start += p.numel()
    return pieces


class PCGrad:
    def __init__(self, shared, own, lr, seed=0):
        self.shared = list(shared)
        self.own = {k: list(v) for k, v in own.items()}
        params = self.shared + [p for group in self.own.values() for p in group]
        self.opt = torch.optim.Adam(params, lr=lr)
        self.rng = random.Random(seed)
        self.conflicts = 0

    def project(self, per_task):
        projected = []
        for i, g in enumerate(per_task):
            g = g.clone()
            others = [h for j, h in enumerate(per_task) if j != i]
            self.rng.shuffle(others)
            for h in others:
                dot = torch.dot(g, h)
                if dot < 0:
                    self.conflicts += 1
                    g = g - dot / h.pow(2).sum() * h
            projected.append(g)
        return torch.stack(projected).sum(0)

    def step(self, losses):
        self.opt.zero_grad()
        names = list(losses)
        per_task = []
        for i, name in enumerate(names):
            last = i == len(names) - 1
            wrt = self.shared + self.own[name]
            grads = torch.autograd.grad(losses[name], wrt, retain_graph=not last)
            per_task.append(flat(grads[:len(self.shared)]))
            for p, g in zip(self.own[name], grads[len(self.shared):]):
                p.grad = g
        merged = self.project(per_task)
        for p, g in zip(self.shared, unflat(merged, self.shared)):
            p.grad = g
        self.opt.step()


def batches(n_batches, n, d):
    w = SimpleNamespace(sol=torch.randn(d), tox=torch.randn(d), scaf=torch.randn(d, 5))
    for _ in range(n_batches):
        x = torch.randn(n, d)
        yield x, {
            "solubility": torch.sin(x @ w.sol / 4),
            "toxicity": ((x @ w.tox) > 0).float(),
            "scaffold": (x @ w.scaf).argmax(1),
        }


def main():
    torch.manual_seed(71)
    model = MultiProperty()
    surgeon = PCGrad(model.trunk.parameters(), {k: h.parameters() for k, h in model.heads.items()}, lr=2e-3)
    averages = dict.fromkeys(LOSSES, 0.0)
    for it, (x, targets) in enumerate(batches(130, 64, 30)):
        outputs = model(x)
        losses = {name: fn(outputs[name], targets[name]) for name, fn in LOSSES.items()}
        surgeon.step(losses)
        for name, value in losses.items():
            averages[name] = 0.9 * averages[name] + 0.1 * value.item()
        if it % 26 == 25:
            print(it + 1, {k: round(v, 3) for k, v in averages.items()}, "conflicts", surgeon.conflicts)


if __name__ == "__main__":
    main()
