"""Process-wide record of what happened in each epoch."""
from collections import defaultdict

import torch

BY_EPOCH = defaultdict(lambda: defaultdict(list))


def record(epoch, **values):
    for name, value in values.items():
        BY_EPOCH[epoch][name].append(value)  # <- culprit


def mean(epoch, name):
    with torch.no_grad():
        return torch.stack(BY_EPOCH[epoch][name]).mean().item()


def summary(epoch):
    return {name: round(mean(epoch, name), 4) for name in BY_EPOCH[epoch]}


def best(name):
    return min(BY_EPOCH, key=lambda epoch: mean(epoch, name))
