import torch


class SlowAnchor:
    """Keeps an exponential average of the weights and penalises the distance to it."""

    def __init__(self, net, momentum=0.99):
        self.momentum = momentum
        self.slow = {name: p.detach().clone() for name, p in net.named_parameters()}

    def advance(self, net):
        for name, p in net.named_parameters():
            self.slow[name] = torch.lerp(self.slow[name], p, 1.0 - self.momentum)  # <- culprit

    def penalty(self, net):
        total = 0.0
        for name, p in net.named_parameters():
            total = total + (p - self.slow[name]).square().sum()
        return total
