# gradwatch-corpus: kind=inplace-modified
# first-bad: 10
# notice: 0
"""Knowledge-graph completion (DistMult with a projected head) and weight constraints as callbacks."""
from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(27)


class Callback:
    def before_batch(self, trainer): ...

    def after_loss(self, trainer): ...

    def after_step(self, trainer): ...


class LossMeter(Callback):
    def __init__(self, every):
        self.every, self.sum = every, 0.0

    def after_loss(self, trainer):
        self.sum += trainer.loss.item()
        if trainer.step % self.every == self.every - 1:
            print(f"step {trainer.step + 1}: {self.sum / self.every:.4f}")
            self.sum = 0.0


class MaxNorm(Callback):
    """Rows of the named weights are kept inside a ball."""

    def __init__(self, names, radius, every):
        self.names, self.radius, self.every = names, radius, every

    def after_loss(self, trainer):
        if trainer.step and trainer.step % self.every == 0:
            self.project(trainer.model)  # <- culprit

    @torch.no_grad()
    def project(self, model):
        for name, p in model.named_parameters():
            if name in self.names:
                p.copy_(torch.renorm(p, 2, 0, self.radius))  # <- culprit


class DistMult(nn.Module):
    def __init__(self, n_ent, n_rel, dim):
        super().__init__()
        self.ent = nn.Embedding(n_ent, dim)
        self.rel = nn.Embedding(n_rel, dim)
        self.head = nn.Linear(dim, dim, bias=False)
        self.tail = nn.Linear(dim, dim, bias=False)

    def forward(self, h, r, t):
        return (self.head(self.ent(h)) * self.rel(r) * self.tail(self.ent(t))).sum(-1)


class Triples:
    def __init__(self, n_ent, n_rel):
        self.n_ent, self.n_rel = n_ent, n_rel
        self.shift = torch.randint(1, n_ent, (n_rel,))

    def batch(self, n):
        h, r = torch.randint(0, self.n_ent, (n,)), torch.randint(0, self.n_rel, (n,))
        return h, r, (h + self.shift[r]) % self.n_ent, torch.randint(0, self.n_ent, (n,))


class Trainer:
    def __init__(self, model, data, callbacks):
        self.model, self.data, self.callbacks = model, data, callbacks
        self.opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
        self.step, self.loss = 0, None

    def fire(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def fit(self, steps):
        for self.step in range(steps):
            self.fire("before_batch")
            h, r, t, bad = self.data.batch(64)
            pos, neg = self.model(h, r, t), self.model(h, r, bad)
            self.loss = F.softplus(-pos).mean() + F.softplus(neg).mean()
            self.fire("after_loss")
            self.opt.zero_grad()
            self.loss.backward()
            self.opt.step()
            self.fire("after_step")


if __name__ == "__main__":
    Trainer(
        DistMult(60, 5, 16),
        Triples(60, 5),
        [LossMeter(5), MaxNorm({"head.weight", "tail.weight"}, radius=1.0, every=10)],
    ).fit(80)
