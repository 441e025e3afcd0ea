"""Strategies that turn a vector of task losses into one number."""
from abc import ABC, abstractmethod

import torch


class Balancer(ABC):
    def __init__(self, n_tasks):
        self.n_tasks = n_tasks

    @abstractmethod
    def weights(self, losses):
        ...

    def observe(self, losses):
        pass

    def __call__(self, losses):
        total = (self.weights(losses) * losses).sum()
        self.observe(losses)
        return total


class Equal(Balancer):
    def weights(self, losses):
        return torch.ones(self.n_tasks)


class DynamicWeightAverage(Balancer):
    """Liu, Johns & Davison 2019: tasks that stopped improving get more weight."""

    def __init__(self, n_tasks, temperature):
        super().__init__(n_tasks)
        self.temperature = temperature
        self.prev = None
        self.before_prev = None

    def weights(self, losses):
        if self.before_prev is None:
            return torch.ones(self.n_tasks)
        ratio = self.prev / self.before_prev  # <- culprit
        return self.n_tasks * torch.softmax(ratio / self.temperature, dim=0)

    def observe(self, losses):
        self.before_prev, self.prev = self.prev, losses  # <- culprit


_STRATEGIES = {"equal": Equal, "dwa": DynamicWeightAverage}


def make_balancer(name, **kw):
    return _STRATEGIES[name](**kw)
