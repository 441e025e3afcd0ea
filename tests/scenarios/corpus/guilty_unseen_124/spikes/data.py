import torch


class EventStream:
    """Poisson-like event counts whose channel profile drifts between two states."""

    def __init__(self, channels):
        self.profile = torch.rand(2, channels)
        self.t = 0

    def next(self, n):
        self.t += 1
        state = torch.full((n,), int(self.t // 15 % 2))
        flip = torch.rand(n) < 0.2
        state = torch.where(flip, 1 - state, state)
        return torch.bernoulli(self.profile[state]), state
