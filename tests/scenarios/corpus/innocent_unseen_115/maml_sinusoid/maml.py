from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class MetaLearner(nn.Module):
    def __init__(self, hidden, inner_lr):
        super().__init__()
        self.theta = nn.ParameterDict({
            "w1": nn.Parameter(torch.randn(hidden, 1)),
            "b1": nn.Parameter(torch.zeros(hidden)),
            "w2": nn.Parameter(torch.randn(hidden, hidden) / hidden ** 0.5),
            "b2": nn.Parameter(torch.zeros(hidden)),
            "w3": nn.Parameter(torch.randn(1, hidden) / hidden ** 0.5),
            "b3": nn.Parameter(torch.zeros(1)),
        })
        self.alpha = nn.ParameterDict({k: nn.Parameter(torch.full_like(v, inner_lr)) for k, v in self.theta.items()})
        self.fast_weights = None

    @staticmethod
    def net(x, p):
        h = torch.tanh(F.linear(x, p["w1"], p["b1"]))
        h = torch.tanh(F.linear(h, p["w2"], p["b2"]))
        return F.linear(h, p["w3"], p["b3"])

    def loss(self, batch, p):
        x, y = batch
        return F.mse_loss(self.net(x, p), y)

    def adapt(self, support, steps):
        self.fast_weights = OrderedDict(self.theta.items())
        trajectory = []
        for _ in range(steps):
            loss = self.loss(support, self.fast_weights)
            grads = torch.autograd.grad(loss, list(self.fast_weights.values()), create_graph=True)
            self.fast_weights = OrderedDict(
                (k, w - self.alpha[k] * g) for (k, w), g in zip(self.fast_weights.items(), grads))
            trajectory.append(loss)
        return self.fast_weights, trajectory
