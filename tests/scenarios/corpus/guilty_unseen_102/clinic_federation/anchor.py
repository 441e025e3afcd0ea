import torch


class SlowAnchor:
    """Exponentially averaged coefficients that local training must not stray from."""

    def __init__(self, weight, rate):
        self.rate = rate
        self.consensus = torch.zeros_like(weight).copy_(weight.detach())

    def follow(self, weight):
        self.consensus = torch.lerp(self.consensus, weight, self.rate)  # <- culprit
        return self.consensus

    def penalty(self, weight):
        gap = weight - self.follow(weight)  # <- culprit
        return (gap * gap).sum()

    @torch.no_grad()
    def drift(self, weight):
        return (weight - self.consensus).norm().item()
