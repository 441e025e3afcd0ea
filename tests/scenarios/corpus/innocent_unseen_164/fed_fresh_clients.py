# gradwatch-corpus: kind=none
"""Federated rounds: clients are made anew from a factory every round."""
import copy

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1)


class Shard:
    def __init__(self, seed, n=80):
        gen = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, 6, generator=gen)
        tilt = 0.3 * torch.randn(6, 1, generator=gen)
        self.y = ((self.x @ (torch.ones(6, 1) + tilt)) > 0).float()


class ClientSession:
    """State of one client for one round."""

    def __init__(self, cid, shard, global_model):
        self.cid = cid
        self.shard = shard
        self.model = copy.deepcopy(global_model)
        self.reference = [p.detach().clone() for p in global_model.parameters()]
        self.losses = []
        self.drift = []

    def run(self, epochs, size=20):
        opt = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.5)
        for _ in range(epochs):
            for i in range(0, len(self.shard.x), size):
                x, y = self.shard.x[i:i + size], self.shard.y[i:i + size]
                loss = F.binary_cross_entropy_with_logits(self.model(x), y)
                prox = sum((p - r).pow(2).sum() for p, r in zip(self.model.parameters(), self.reference))
                opt.zero_grad()
                (loss + 0.01 * prox).backward()
                opt.step()
                self.losses.append(loss)
                self.drift.append(prox)
                if len(self.losses) >= 3:
                    self.compact()
        return self

    def compact(self):
        self.losses = [torch.stack(self.losses).mean().detach()]
        self.drift = [torch.stack(self.drift).mean().detach()]

    def report(self):
        self.compact()
        return {"loss": self.losses[0].item(), "drift": self.drift[0].item(), "size": len(self.shard.x)}


class Coordinator:
    def __init__(self, shards):
        self.shards = shards
        self.model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
        self.log = []

    def aggregate(self, sessions):
        with torch.no_grad():
            for name, param in self.model.named_parameters():
                rows = [dict(s.model.named_parameters())[name] for s in sessions]
                param.copy_(torch.stack(rows).mean(0))

    def round(self):
        sessions = [ClientSession(i, s, self.model).run(1) for i, s in enumerate(self.shards)]
        self.aggregate(sessions)
        self.log.append([s.report() for s in sessions])
        return sum(r["loss"] for r in self.log[-1]) / len(sessions)


coordinator = Coordinator([Shard(70 + i) for i in range(4)])
for r in range(8):
    print(f"round {r} loss {coordinator.round():.4f}")
