# gradwatch-corpus: kind=none
"""Feed ranking with three heads (click, dwell, share); conflicting task gradients are projected (PCGrad) before the
shared trunk is updated."""
from __future__ import annotations

import random
from typing import Callable, Mapping

import torch
import torch.nn.functional as F
from torch import nn

TASKS: dict[str, Callable] = {}


def task(name):
    def register(fn):
        TASKS[name] = fn
        return fn

    return register


@task("click")
def click_loss(logit, batch):
    return F.binary_cross_entropy_with_logits(logit, batch["click"])


@task("dwell")
def dwell_loss(logit, batch):
    return F.smooth_l1_loss(logit, torch.log1p(batch["dwell"]))


@task("share")
def share_loss(logit, batch):
    return F.binary_cross_entropy_with_logits(logit, batch["share"], pos_weight=torch.tensor(4.0))


class FeedNet(nn.Module):
    def __init__(self, users=80, items=120, dim=12):
        super().__init__()
        self.users, self.items = nn.Embedding(users, dim), nn.Embedding(items, dim)
        self.trunk = nn.Sequential(nn.Linear(3 * dim, 48), nn.ReLU(), nn.Linear(48, 32), nn.ReLU())
        self.heads = nn.ModuleDict({name: nn.Linear(32, 1) for name in TASKS})

    def forward(self, user, item):
        u, v = self.users(user), self.items(item)
        h = self.trunk(torch.cat([u, v, u * v], 1))
        return {name: head(h).squeeze(1) for name, head in self.heads.items()}


class GradientSurgeon:
    def __init__(self, params, seed=0):
        self.params = [p for p in params]
        self.rng = random.Random(seed)
        self.conflicts = 0
        self.pairs = 0

    def _flat(self, loss, last):
        grads = torch.autograd.grad(loss, self.params, retain_graph=not last, allow_unused=True)
        return torch.cat([
            (g if g is not None else torch.zeros_like(p)).reshape(-1) for p, g in zip(self.params, grads)
        ])

    def backward(self, losses: Mapping[str, torch.Tensor]):
        names = list(losses)
        raw = {n: self._flat(losses[n], last=n == names[-1]) for n in names}
        total = torch.zeros_like(next(iter(raw.values())))
        for n in names:
            g = raw[n].clone()
            others = [m for m in names if m != n]
            self.rng.shuffle(others)
            for m in others:
                dot = torch.dot(g, raw[m])
                self.pairs += 1
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / raw[m].pow(2).sum().clamp_min(1e-12) * raw[m]
            total += g
        offset = 0
        for p in self.params:
            p.grad = total[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()


def sessions(batch=192, seed=1):
    gen = torch.Generator().manual_seed(seed)
    taste, topic = torch.randn(80, 4, generator=gen), torch.randn(120, 4, generator=gen)
    while True:
        user = torch.randint(0, 80, (batch,), generator=gen)
        item = torch.randint(0, 120, (batch,), generator=gen)
        affinity = (taste[user] * topic[item]).sum(1)
        yield user, item, {
            "click": torch.bernoulli(affinity.sigmoid(), generator=gen),
            "dwell": F.softplus(affinity + torch.randn(batch, generator=gen)) * 10,
            "share": torch.bernoulli((-affinity.abs() - 0.5).sigmoid(), generator=gen),
        }


def train(steps=260):
    torch.manual_seed(0)
    net = FeedNet()
    surgeon = GradientSurgeon(net.parameters())
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    running = dict.fromkeys(TASKS, 0.0)
    for step, (user, item, batch) in zip(range(1, steps + 1), sessions()):
        logits = net(user, item)
        losses = {name: fn(logits[name], batch) for name, fn in TASKS.items()}
        surgeon.backward(losses)
        optimizer.step()
        for name, loss in losses.items():
            running[name] += (loss.item() - running[name]) / min(step, 25)
        if step % 65 == 0:
            shown = "  ".join(f"{k} {v:.4f}" for k, v in running.items())
            print(f"step {step:4d}  {shown}  conflicts {surgeon.conflicts / surgeon.pairs:.2f}")


if __name__ == "__main__":
    train()
