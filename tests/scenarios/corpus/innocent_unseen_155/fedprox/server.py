import copy
from collections import deque

import torch
from torch import nn


class Server:
    def __init__(self, clients, momentum=0.5):
        self.model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 3))
        self.clients = clients
        self.velocity = {n: torch.zeros_like(p) for n, p in self.model.named_parameters()}
        self.momentum = momentum
        self.snapshots = deque(maxlen=3)

    def round(self, local_steps):
        deltas, losses = [], []
        for c in self.clients:
            delta, loss = c.train(copy.deepcopy(self.model), local_steps)
            deltas.append(delta)
            losses.append(loss)
        with torch.no_grad():
            for n, p in self.model.named_parameters():
                step = torch.stack([d[n] for d in deltas]).mean(0)
                self.velocity[n] = self.momentum * self.velocity[n] + step
                p += self.velocity[n]
        self.snapshots.append(copy.deepcopy(self.model))
        return {"loss": sum(losses) / len(losses), "agree": self.agreement()}

    def agreement(self):
        g = torch.stack([torch.cat([v.flatten() for v in c.control.values()]) for c in self.clients])
        g = nn.functional.normalize(g, dim=1)
        return (g @ g.T).mean().item()
