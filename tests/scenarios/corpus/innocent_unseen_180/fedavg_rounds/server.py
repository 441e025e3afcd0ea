import random

import torch
from torch import nn

from .client import Client


class Server:
    def __init__(self, shards, per_round, seed):
        self.model = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 4))
        self.shards = shards
        self.per_round = per_round
        self.rng = random.Random(seed)
        self.participants = []
        self.log = []

    def round(self, r):
        picked = self.rng.sample(range(len(self.shards)), self.per_round)
        self.participants = [Client(c, self.model, self.shards[c], lr=0.05).train(epochs=2) for c in picked]
        self.aggregate()
        self.log.append({
            "round": r,
            "loss": sum(c.mean_loss() for c in self.participants) / self.per_round,
            "clients": [c.cid for c in self.participants],
        })

    @torch.no_grad()
    def aggregate(self):
        total = sum(c.weight for c in self.participants)
        merged = {k: torch.zeros_like(v) for k, v in self.model.state_dict().items()}
        for c in self.participants:
            for k, v in c.model.state_dict().items():
                merged[k] += v * (c.weight / total)
        self.model.load_state_dict(merged)

    def confidence(self):
        logits = [l.detach() for c in self.participants for l in c.journal["logits"]]
        return torch.cat(logits).softmax(-1).amax(-1).mean().item()
