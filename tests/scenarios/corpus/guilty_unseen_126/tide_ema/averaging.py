import torch
from torch import nn


class WeightAverager:
    def __init__(self, net, decay):
        self.decay = decay
        self.mean = {n: p.detach().clone() for n, p in net.named_parameters()}
        self.kept = {}

    @torch.no_grad()
    def update(self, net):
        for n, p in net.named_parameters():
            self.mean[n].lerp_(p, 1 - self.decay)

    def _put(self, net, name, value):
        owner, _, attr = name.rpartition(".")
        setattr(net.get_submodule(owner), attr, nn.Parameter(value, requires_grad=False))  # <- culprit

    def swap_in(self, net):
        self.kept = {n: p.detach() for n, p in net.named_parameters()}
        for n in self.kept:
            self._put(net, n, self.mean[n])

    def swap_out(self, net):
        for n, value in self.kept.items():
            self._put(net, n, value)  # <- culprit
        self.kept = {}
