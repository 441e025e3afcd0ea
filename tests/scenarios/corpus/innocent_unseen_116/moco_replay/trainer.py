from dataclasses import dataclass, field
from itertools import islice

import torch
import torch.nn.functional as F


@dataclass
class Hyper:
    seed: int = 66
    bins: int = 28
    width: int = 12
    batch: int = 16
    steps: int = 320
    replay: int = 12
    temp: float = 0.2
    stability: float = 0.1
    lr: float = 2e-3
    memories: dict = field(default_factory=lambda: {
        "queue": {"size": 96, "width": 12},
        "anchors": {"seed": 66},
    })


class ContrastiveTrainer:
    def __init__(self, h, query, key, memory):
        self.h, self.query, self.key, self.memory = h, query, key, memory
        self.opt = torch.optim.Adam(query.parameters(), lr=h.lr)
        self.scale = torch.ones(())

    def contrast(self, q, k):
        positive = (q * k).sum(1, keepdim=True)
        negative = q @ self.memory["queue"].keys.T
        logits = torch.cat([positive, negative], dim=1) / self.h.temp
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))

    def keep_stable(self):
        if len(self.memory["anchors"]) < self.h.replay:
            return 0.0
        x, old = self.memory["anchors"].sample(self.h.replay)
        return (self.query(x) - old).pow(2).sum(1).mean()

    def step(self, left, right):
        q, k = self.query(left), self.key(right)
        loss = self.contrast(q, k) / self.scale + self.h.stability * self.keep_stable()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.scale = 0.99 * self.scale + 0.01 * loss.detach().clamp(0.5, 2.0)
        self.key.follow(self.query)
        self.memory["queue"].push(k)
        self.memory["anchors"].push(left, q)
        return loss.item()

    def fit(self, data):
        for i, (left, right) in enumerate(islice(data, self.h.steps)):
            yield i, self.step(left, right)
