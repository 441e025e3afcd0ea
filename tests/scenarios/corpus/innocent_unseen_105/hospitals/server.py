import copy

import torch
from torch import nn


class Coordinator:
    def __init__(self, features):
        self.model = nn.Sequential(nn.Linear(features, 16), nn.Tanh(), nn.Linear(16, 1))

    def broadcast(self):
        return copy.deepcopy(self.model)

    @torch.no_grad()
    def aggregate(self, crew):
        weights = [h.weight() for h in crew]
        total = sum(weights)
        state = self.model.state_dict()
        for h, w in zip(crew, weights):
            for k, d in h.update().items():
                state[k] += w / total * d
        return [h.span() for h in crew]
