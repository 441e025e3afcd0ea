"""Running statistics shared by the codec's stages."""
import torch


class RoundThrough(torch.autograd.Function):
    """Round on the way in, identity on the way back."""

    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, grad):
        return grad


class RunningStat:
    """value <- value + (1 - momentum) * (sample - value)"""

    momentum = 0.95

    def __init__(self, start: torch.Tensor):
        self.value = start
        self.count = 0

    def sample(self, x):
        raise NotImplementedError

    def observe(self, x):
        s = self.sample(x)
        self.value = torch.add(self.value, s - self.value, alpha=1 - self.momentum)  # <- culprit
        self.count += 1
        return self.value


class StepSize(RunningStat):
    """Step size in dB, on the integer grid of the bit stream."""

    momentum = 0.9

    def sample(self, gain_db):
        return RoundThrough.apply(gain_db)  # <- culprit


def unvoiced_mask(spec):
    return (spec.abs().mean(-1, keepdim=True) < 0.05).to(spec.dtype)
