"""Function preserving growth of a two-layer network (new units start with zero output weights)."""
import torch
import torch.nn as nn


def widen(first, second, extra):
    wide_in = nn.Linear(first.in_features, first.out_features + extra)
    wide_out = nn.Linear(second.in_features + extra, second.out_features)
    n = first.out_features
    with torch.no_grad():
        wide_in.weight[:n] = first.weight
        wide_in.bias[:n] = first.bias
        wide_out.weight.zero_()
        wide_out.weight[:, :n] = second.weight
        wide_out.bias.copy_(second.bias)
    return wide_in, wide_out


class Grower:
    """Adds units while the validation loss falls too slowly, up to a width."""

    def __init__(self, limit=2200, extra=100, every=4):
        self.limit = limit
        self.extra = extra
        self.every = every
        self.events = []

    def wants(self, step, net):
        return step % self.every == self.every - 1 and net.width + self.extra <= self.limit

    def grow(self, step, net):
        net.first, net.second = widen(net.first, net.second, self.extra)
        self.events.append((step, net.width))
