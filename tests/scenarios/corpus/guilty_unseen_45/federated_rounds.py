# gradwatch-corpus: kind=memory-climb
# holder: self.ledger | server.ledger
# first-bad: 1
# notice: 100
"""Federated SGD over skewed clients with trimmed-mean aggregation."""
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Plan:
    clients: int = 8
    per_round: int = 3
    rounds: int = 180
    features: int = 40
    classes: int = 6
    lr: float = 0.05


def build_model(plan):
    return nn.Sequential(nn.Linear(plan.features, 160), nn.ReLU(),
                         nn.Linear(160, 96), nn.ReLU(), nn.Linear(96, plan.classes))


class Client:
    def __init__(self, ident, plan, teacher):
        rng = np.random.default_rng(100 + ident)
        centre = rng.normal(0, 0.7, plan.features)
        x = rng.normal(centre, 1.0, (256, plan.features)).astype("float32")
        self.x = torch.from_numpy(x)
        self.y = (self.x @ teacher).argmax(1)
        self.ident = ident

    def update(self, model, batch=64):
        pick = torch.randint(len(self.x), (batch,))
        loss = F.cross_entropy(model(self.x[pick]), self.y[pick])
        model.zero_grad()
        loss.backward()
        grads = [p.grad.detach().clone() for p in model.parameters()]
        return grads, loss.item()


class Server:
    def __init__(self, model, plan):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=plan.lr, momentum=0.9)
        self.ledger = defaultdict(list)
        self.norms = defaultdict(float)

    def receive(self, ident, grads):
        flat = torch.cat([g.flatten() for g in grads])
        self.ledger[ident].append(flat)  # <- culprit
        self.norms[ident] = flat.norm().item()
        return flat

    def drift(self, ident):
        past = self.ledger[ident]
        if len(past) < 2:
            return 0.0
        return F.cosine_similarity(past[-1], past[-2], dim=0).item()

    def aggregate(self, flats):
        stacked = torch.stack(flats)
        merged = stacked.median(0).values if len(flats) > 2 else stacked.mean(0)
        self.opt.zero_grad()
        offset = 0
        for p in self.model.parameters():
            p.grad = merged[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()
        self.opt.step()


def run(plan=Plan()):
    torch.manual_seed(0)
    teacher = torch.randn(plan.features, plan.classes)
    pool = [Client(i, plan, teacher) for i in range(plan.clients)]
    server = Server(build_model(plan), plan)
    for rnd in range(plan.rounds):
        chosen = np.random.default_rng(rnd).choice(plan.clients, plan.per_round, replace=False)
        flats, losses = [], []
        for c in chosen:
            grads, loss = pool[c].update(server.model)
            flats.append(server.receive(int(c), grads))  # <- culprit
            losses.append(loss)
        server.aggregate(flats)
        if rnd % 40 == 0:
            drift = np.mean([server.drift(int(c)) for c in chosen])
            print(f"round {rnd:3d} loss {np.mean(losses):.3f} drift {drift:+.2f}")


if __name__ == "__main__":
    run()
