"""A linear forecaster whose weights are plain tensors, so that updates can be differentiated."""
import torch
from torch import nn


class FunctionalRegressor:
    RATE_INDEX = {"w": 0, "b": 1}

    def __init__(self, width):
        self.log_rate = nn.Parameter(torch.log(torch.tensor([0.02, 0.05])))
        self.weights = {
            "w": (0.1 * torch.randn(width, 1)).requires_grad_(),
            "b": torch.zeros(1).requires_grad_(),
        }

    def predict(self, x):
        return x @ self.weights["w"] + self.weights["b"]

    def loss(self, x, y):
        return (self.predict(x) - y).pow(2).mean()

    def update(self, x, y):
        loss = self.loss(x, y)
        names = list(self.weights)
        grads = torch.autograd.grad(loss, [self.weights[k] for k in names], create_graph=True)
        rate = self.log_rate.exp()
        moved = {}
        for name, g in zip(names, grads):
            moved[name] = self.weights[name] - rate[self.RATE_INDEX[name]] * g  # <- culprit
        self.weights = moved  # <- culprit
        return loss
