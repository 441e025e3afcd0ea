# gradwatch-corpus: kind=none
"""Contrastive descriptors of coral reef patches, with a negative queue."""
from collections import deque
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class ResidualUnit(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up = nn.Linear(dim, 2 * dim)
        self.down = nn.Linear(2 * dim, dim)

    def forward(self, x):
        return x + self.down(F.silu(self.up(x)))


class PatchEncoder(nn.Module):
    def __init__(self, pixels, dim, depth):
        super().__init__()
        self.stem = nn.Linear(pixels, dim)
        self.units = nn.ModuleList([ResidualUnit(dim) for _ in range(depth)])
        self.scope = None

    def forward(self, x):
        x = self.stem(x)
        for k, unit in enumerate(self.units):
            x = checkpoint(unit, x, use_reentrant=False)
            if self.scope is not None:
                self.scope[k] = x
        return F.normalize(x, dim=1)

    @contextmanager
    def inspect(self):
        self.scope = {}
        try:
            yield self.scope
        finally:
            self.scope = None


class NegativeQueue:
    def __init__(self, batches):
        self.blocks = deque(maxlen=batches)

    def push(self, keys):
        self.blocks.append(keys.detach())

    def stacked(self):
        return torch.cat(list(self.blocks))


class InfoNCE(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, q, k, negatives):
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ negatives.T], dim=1)
        target = torch.zeros(len(q), dtype=torch.long)
        return F.cross_entropy(logits * self.log_scale.exp(), target)


class ReefSurvey:
    def __init__(self):
        self.colonies = torch.rand(40, 64)

    def pair(self, n):
        base = self.colonies[torch.randint(0, 40, (n,))]
        return [base + 0.15 * torch.randn_like(base) for _ in range(2)]


def main():
    torch.manual_seed(70)
    survey = ReefSurvey()
    encoder = PatchEncoder(64, 32, depth=3)
    objective = InfoNCE()
    queue = NegativeQueue(batches=6)
    opt = torch.optim.Adam([*encoder.parameters(), *objective.parameters()], lr=5e-4)
    queue.push(F.normalize(torch.randn(32, 32), dim=1))

    for dive in range(110):
        a, b = survey.pair(32)
        if dive % 25 == 0:
            with encoder.inspect() as scope:
                q = encoder(a)
            norms = [round(v.detach().norm(dim=1).mean().item(), 2) for v in scope.values()]
            scope.clear()
        else:
            q = encoder(a)
        k = encoder(b)
        loss = objective(q, k, queue.stacked())
        opt.zero_grad()
        loss.backward()
        opt.step()
        queue.push(k)
        if dive % 25 == 0:
            print(f"dive {dive:3d} loss {loss.item():.3f} norms {norms}")


if __name__ == "__main__":
    main()
