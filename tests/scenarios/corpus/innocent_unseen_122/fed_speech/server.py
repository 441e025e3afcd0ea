import copy

import torch

from .model import MiniCTC


class Server:
    def __init__(self):
        self.weights = MiniCTC().state_dict()
        self.curve = []
        self.best = (float("inf"), None)

    def broadcast(self):
        return copy.deepcopy(self.weights)

    def aggregate(self, updates):
        states, losses = zip(*updates)
        self.weights = {k: torch.stack([s[k] for s in states]).mean(0) for k in states[0]}
        self.curve.append(sum(losses) / len(losses))
        if self.curve[-1] < self.best[0]:
            self.best = (self.curve[-1], self.broadcast())
