"""Server side: global model and the merge strategy."""
import copy

import torch


class MomentumMerge:
    """FedAvgM: keeps a velocity per parameter over the clients' pseudo-gradients."""

    def __init__(self, beta, lr):
        self.beta, self.lr = beta, lr
        self.velocity = {}

    def accumulate(self, current, incoming):
        for name, weight in current.items():
            delta = incoming[name] - weight
            previous = self.velocity.get(name, torch.zeros_like(weight))
            self.velocity[name] = self.beta * previous + (1 - self.beta) * delta  # <- culprit

    def apply(self, current):
        with torch.no_grad():
            for name, weight in current.items():
                weight.add_(self.velocity[name], alpha=self.lr)


class Server:
    def __init__(self, model, strategy):
        self.model = model
        self.strategy = strategy
        self.seen = 0

    def checkout(self):
        return copy.deepcopy(self.model)

    def receive(self, report):
        current = dict(self.model.named_parameters())
        self.strategy.accumulate(current, report.weights)
        self.strategy.apply(current)
        self.seen += report.examples

    def velocity_norms(self):
        return {n: v.norm().item() for n, v in self.strategy.velocity.items()}
