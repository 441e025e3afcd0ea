import torch
from torch import nn


class Hub:
    def __init__(self, shops):
        self.model = nn.Sequential(nn.Linear(6, 14), nn.ReLU(), nn.Linear(14, 1))
        self.shops = shops
        self.visits = []
        self.regrets = []

    def round(self):
        self.visits = [s.visit(self.model) for s in self.shops]
        with torch.no_grad():
            state = self.model.state_dict()
            for k, w in state.items():
                w.add_(torch.stack([v.delta[k] for v in self.visits]).mean(0))
        self.regrets.append([v.regret() for v in self.visits])
