"""Keeps the tasks' gradients on the last shared layer about equally large."""
import torch


class NormBalancer:
    def __init__(self, tasks, shared, start, every, momentum=0.8):
        self.weights = {k: 1.0 for k in tasks}
        self.shared = shared
        self.start, self.every, self.momentum = start, every, momentum

    def due(self, step):
        return step >= self.start and step % self.every == 0

    def norms(self, losses):
        res = {}
        for name, loss in losses.items():
            (g,) = torch.autograd.grad(loss, self.shared)  # <- culprit
            res[name] = g.norm().item() + 1e-8
        return res

    def update(self, losses):
        norms = self.norms(losses)
        mean = sum(norms.values()) / len(norms)
        for k, n in norms.items():
            m = self.momentum
            self.weights[k] = m * self.weights[k] + (1 - m) * mean / n

    def combine(self, losses):
        return sum(self.weights[k] * v for k, v in losses.items())
