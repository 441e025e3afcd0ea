# gradwatch-corpus: kind=inplace-modified
# holder: net.entry.weight | net.deep.weight | net.out.weight | self.live | live | trainer.loss | self.loss | module.deep.weight | module.out.weight
# first-bad: 14
# notice: 0
"""Credit scorecard with categorical fields, a home-made trainer and an averaged shadow model."""
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class ScoreNet(nn.Module):
    def __init__(self, cards, numeric, width=20):
        super().__init__()
        self.cats = nn.ModuleList(nn.Embedding(c, 4) for c in cards)
        self.wide = nn.Linear(numeric, 1)
        self.entry = nn.Linear(numeric + 4 * len(cards), width)
        self.deep = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, num, cat):
        z = torch.cat([num, *(e(cat[:, i]) for i, e in enumerate(self.cats))], dim=1)
        z = F.hardswish(self.entry(z))
        z = F.hardswish(self.deep(z))
        return (self.out(z) + self.wide(num)).squeeze(1)


class Hook:
    order = 0

    def begin(self, trainer): ...
    def batch_scored(self, trainer): ...
    def batch_done(self, trainer): ...


class Shadow(Hook):
    """Exponential average of the weights; scored on the holdout every so often."""
    order = 10

    def __init__(self, holdout, decay=0.95, every=15):
        self.holdout, self.decay, self.every = holdout, decay, every
        self.live, self.avg, self.best = [], [], float("inf")

    def begin(self, trainer):
        self.live = list(trainer.module.parameters())
        self.avg = [p.detach().clone() for p in self.live]

    @contextmanager
    def in_charge(self):
        live = self.live
        with torch.no_grad():
            kept = [p.clone() for p in live]
            torch._foreach_copy_(live, self.avg)  # <- culprit
            try:
                yield
            finally:
                torch._foreach_copy_(live, kept)  # <- culprit

    def batch_scored(self, trainer):
        if (trainer.step + 1) % self.every:
            return
        num, cat, bad = self.holdout
        with self.in_charge():
            score = F.binary_cross_entropy_with_logits(trainer.module(num, cat), bad).item()
        self.best = min(self.best, score)
        print(f"step {trainer.step:3d} train {trainer.loss.item():.4f} shadow {score:.4f} best {self.best:.4f}")

    @torch.no_grad()
    def batch_done(self, trainer):
        torch._foreach_lerp_(self.avg, self.live, 1 - self.decay)


class WarmUp(Hook):
    def __init__(self, steps, peak):
        self.steps, self.peak = steps, peak

    def batch_scored(self, trainer):
        for group in trainer.opt.param_groups:
            group["lr"] = self.peak * min(1.0, (trainer.step + 1) / self.steps)


class Trainer:
    def __init__(self, module, hooks):
        self.module = module
        self.hooks = sorted(hooks, key=lambda h: h.order)
        self.opt = torch.optim.Adam(module.parameters(), lr=1e-3)
        self.step, self.loss = 0, None

    def _fire(self, event):
        for h in self.hooks:
            getattr(h, event)(self)

    def fit(self, batches):
        self._fire("begin")
        for self.step, (num, cat, bad) in enumerate(batches):
            self.opt.zero_grad()
            self.loss = F.binary_cross_entropy_with_logits(self.module(num, cat), bad)
            self._fire("batch_scored")  # <- culprit
            self.loss.backward()
            self.opt.step()
            self._fire("batch_done")


CARDS = (5, 8, 3)


def applicants(n, g):
    num = torch.randn(n, 6, generator=g)
    cat = torch.stack([torch.randint(0, c, (n,), generator=g) for c in CARDS], dim=1)
    z = 1.2 * num[:, 0] - num[:, 1].clamp(min=0) + 0.4 * (cat[:, 0] == 2) - 0.3 * cat[:, 2] - 1.0
    return num, cat, torch.bernoulli(torch.sigmoid(z), generator=g)


def main():
    torch.manual_seed(88)
    g = torch.Generator().manual_seed(88)
    net = ScoreNet(CARDS, 6)
    hooks = [Shadow(applicants(400, g)), WarmUp(20, 4e-3)]
    Trainer(net, hooks).fit(applicants(64, g) for _ in range(150))


if __name__ == "__main__":
    main()
