"""Streaming metrics. Register one with @metric("name"); the trainer builds them by name."""
import math

import torch.nn.functional as F

_REGISTRY = {}


def metric(name):
    def wrap(cls):
        _REGISTRY[name] = cls
        cls.name = name
        return cls
    return wrap


def build(names):
    return {n: _REGISTRY[n]() for n in names}


class Metric:
    def __init__(self):
        self.reset()

    def reset(self):
        raise NotImplementedError

    def update(self, logits, targets):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError


@metric("ppl")
class Perplexity(Metric):
    def reset(self):
        self.nll, self.count = 0.0, 0

    def update(self, logits, targets):
        self.nll += F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum")  # <- culprit
        self.count += targets.numel()

    def compute(self):
        return math.exp(self.nll.item() / max(self.count, 1))


@metric("acc")
class Accuracy(Metric):
    def reset(self):
        self.hits, self.count = 0, 0

    def update(self, logits, targets):
        self.hits += int((logits.argmax(-1) == targets).sum())
        self.count += targets.numel()

    def compute(self):
        return self.hits / max(self.count, 1)


@metric("toks")
class Tokens(Metric):
    def reset(self):
        self.n = 0

    def update(self, logits, targets):
        self.n += targets.numel()

    def compute(self):
        return self.n
