import torch
from torch.func import functional_call


class SoftTarget:
    """Slowly following copy of a network's parameters."""

    def __init__(self, net, tau=0.02):
        self.net = net
        self.tau = tau
        self.params = {name: p.detach().clone() for name, p in net.named_parameters()}

    def __call__(self, x):
        return functional_call(self.net, self.params, (x,))

    def follow(self):
        for name, p in self.net.named_parameters():
            self.params[name] = torch.lerp(self.params[name], p, self.tau)  # <- culprit
