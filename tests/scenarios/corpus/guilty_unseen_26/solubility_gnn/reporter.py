"""Reporting of values from anywhere in the model into the observation of the running iteration."""
import contextlib
import threading

import torch

_local = threading.local()


def _stack():
    if not hasattr(_local, "stack"):
        _local.stack = []
    return _local.stack


class Reporter:
    def __init__(self):
        self.observation = {}

    def report(self, values):
        for k, v in values.items():
            if isinstance(v, torch.Tensor):
                v = v.clone()  # <- culprit
            self.observation[k] = v

    @contextlib.contextmanager
    def scope(self, observation):
        old, self.observation = self.observation, observation
        _stack().append(self)
        try:
            yield self
        finally:
            _stack().pop()
            self.observation = old


def report(values):
    if _stack():
        _stack()[-1].report(values)
