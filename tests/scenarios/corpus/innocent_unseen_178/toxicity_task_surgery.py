# gradwatch-corpus: kind=none
"""Multi-endpoint toxicity model with projection of conflicting task gradients."""
import torch
import torch.nn.functional as F
from torch import nn


class AssayFeed:
    def __init__(self, bits=40, tasks=3, seed=26):
        self.gen = torch.Generator().manual_seed(seed)
        self.rule = torch.randn(bits, tasks, generator=self.gen)
        self.bits = bits

    def batch(self, n=48):
        x = (torch.rand(n, self.bits, generator=self.gen) < 0.3).float()
        return x, (x @ self.rule > 0).float()


class GradientSurgeon:
    def __init__(self, params):
        self.params = list(params)
        self.conflicts = []

    def _collect(self, losses):
        rows = []
        for i, loss in enumerate(losses):
            grads = torch.autograd.grad(loss, self.params, retain_graph=i + 1 < len(losses))
            rows.append(torch.cat([g.flatten() for g in grads]))
        return torch.stack(rows)

    def _project(self, rows):
        fixed, hits = rows.clone(), 0
        for i in range(len(rows)):
            for j in range(len(rows)):
                dot = fixed[i] @ rows[j]
                if i != j and dot < 0:
                    fixed[i] -= dot / (rows[j] @ rows[j] + 1e-12) * rows[j]
                    hits += 1
        self.conflicts.append(hits)
        return fixed.sum(0)

    def assign(self, losses):
        flat, start = self._project(self._collect(losses)), 0
        for p in self.params:
            p.grad = flat[start:start + p.numel()].view_as(p)
            start += p.numel()


class ToxTrainer:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(40, 32), nn.ReLU(), nn.Linear(32, 3))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.surgeon = GradientSurgeon(self.net.parameters())
        self.level = None

    def _normalised(self, raw):
        now = raw.detach()
        self.level = now if self.level is None else 0.95 * self.level + 0.05 * now
        return raw / self.level

    def step(self, x, y):
        raw = F.binary_cross_entropy_with_logits(self.net(x), y, reduction="none").mean(0)
        self.opt.zero_grad()
        self.surgeon.assign(list(self._normalised(raw)))
        self.opt.step()
        return raw.detach()


def main():
    torch.manual_seed(28)
    feed, trainer, curve = AssayFeed(), ToxTrainer(), []
    for i in range(420):
        curve.append(trainer.step(*feed.batch()).mean().item())
        if i % 105 == 0:
            print(i, round(curve[-1], 4), trainer.surgeon.conflicts[-1])


if __name__ == "__main__":
    main()
