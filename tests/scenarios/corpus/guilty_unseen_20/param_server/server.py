"""The server's half: weights, their past versions, and the compensated update."""
import threading

import torch
from torch import nn


def mlp(dims):
    layers = []
    for a, b in zip(dims, dims[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class ParameterServer:
    def __init__(self, dims, lr, compensation):
        self.dims = dims
        self.model = mlp(dims)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.compensation = compensation
        self.clock = 0
        self._lock = threading.Lock()
        self._versions = {0: self._snapshot()}

    def _snapshot(self):
        return [p.detach().clone() for p in self.model.parameters()]

    def pull(self):
        with self._lock:
            return self.clock, self._versions[self.clock]

    @torch.no_grad()
    def apply(self, grads, version):
        """One optimizer step with a gradient taken at an older version of the weights."""
        with self._lock:
            then = self._versions[version]
            for p, g, old in zip(self.model.parameters(), grads, then):
                p.grad = g + self.compensation * g * g * (p - old)
            self.optimizer.step()
            self.clock += 1
            self._versions[self.clock] = self._snapshot()  # <- culprit
            return self.clock - 1 - version
