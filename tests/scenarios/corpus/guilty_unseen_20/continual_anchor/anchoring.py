"""Pulling the weights towards a slow copy of themselves."""
import torch


class SlowAnchor:
    """anchor <- (1 - rate) * anchor + rate * weight after every step; distance() is the squared distance to it."""

    def __init__(self, net, rate):
        self.net = net
        self.rate = rate
        self.anchors = {name: p.detach().clone() for name, p in net.named_parameters()}

    def distance(self):
        return sum((p - self.anchors[name]).square().sum() for name, p in self.net.named_parameters())

    def follow(self):
        self.anchors.update(  # <- culprit
            (name, torch.lerp(self.anchors[name], p, self.rate)) for name, p in self.net.named_parameters()  # <- culprit
        )
