import copy
from collections import deque

import torch


class Hook:
    def before_day(self, session):
        ...

    def after_day(self, session, loss):
        ...


class HookRunner:
    def __init__(self):
        self._hooks = []

    def add(self, hook):
        self._hooks.append(hook)
        return hook

    def fire(self, name, *args):
        for hook in self._hooks:
            getattr(hook, name)(*args)


class LossWindow(Hook):
    def __init__(self, size):
        self.window = deque(maxlen=size)

    def after_day(self, session, loss):
        self.window.append(loss.detach())

    @property
    def mean(self):
        return torch.stack(tuple(self.window)).mean().item()


class BestState(Hook):
    def __init__(self, window):
        self.window = window
        self.best = float("inf")
        self.weights = None

    def after_day(self, session, loss):
        if len(self.window.window) == self.window.window.maxlen and self.window.mean < self.best:
            self.best = self.window.mean
            self.weights = copy.deepcopy(session.model.state_dict())
