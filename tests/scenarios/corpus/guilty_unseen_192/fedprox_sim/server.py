import copy

import torch
from torch import nn


class Server:
    def __init__(self, in_dim, n_classes):
        self.model = nn.Sequential(nn.Linear(in_dim, 24), nn.ReLU(), nn.Linear(24, n_classes))
        self.rounds = []

    def broadcast(self):
        return copy.deepcopy(self.model)

    @torch.no_grad()
    def _average(self, reports):
        total = sum(r.weight for r in reports)
        return {
            k: sum(r.state[k] * (r.weight / total) for r in reports)
            for k in self.model.state_dict()
        }

    def aggregate(self, reports):
        self.model.load_state_dict(self._average(reports))
        self.rounds.append({  # <- culprit
            "clients": [r.client for r in reports],
            "loss": sum(r.loss for r in reports) / len(reports),
            "drift": torch.stack([r.drift for r in reports]).mean(),  # <- culprit
        })

    def summary(self):
        last = self.rounds[-1]
        return f"round {len(self.rounds):4d} clients {last['clients']} loss {last['loss']:.3f} drift {last['drift']:.3f}"
