import torch
from torch import nn
from torch.autograd import Function
from torch.nn.utils import parametrize


class RowUnitFn(Function):
    """w / |w| by row; keeps the output and the inverse norm for backward."""

    @staticmethod
    def forward(ctx, w):
        inv = w.square().sum(1, keepdim=True).clamp_min(1e-8).rsqrt()
        y = w * inv
        ctx.save_for_backward(y, inv)
        return y

    @staticmethod
    def backward(ctx, g):
        y, inv = ctx.saved_tensors
        return inv * (g - y * (g * y).sum(1, keepdim=True))


class RowUnit(nn.Module):
    def forward(self, w):
        return RowUnitFn.apply(w)


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).transpose(-1, -2)


class Pairing(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width, width) / width ** 0.5)
        self.log_gain = nn.Parameter(torch.zeros(()))
        self.bias = nn.Parameter(torch.tensor(-1.0))

    def forward(self, h):
        score = torch.einsum("bic,cd,bjd->bij", h, self.weight, h)
        return self.log_gain.exp() * score + self.bias


class ContactNet(nn.Module):
    def __init__(self, kinds, width):
        super().__init__()
        self.mix = nn.Conv1d(kinds, width, 3, padding=1)
        self.point = nn.Conv1d(kinds, width, 1)
        self.pair = Pairing(width)
        parametrize.register_parametrization(self.pair, "weight", Symmetric())
        parametrize.register_parametrization(self.pair, "weight", RowUnit())

    def forward(self, profile):
        x = profile.transpose(1, 2)
        h = torch.tanh(self.point(x)) + 0.1 * torch.tanh(self.mix(x))
        return self.pair(h.transpose(1, 2))

    def energy_penalty(self):
        return self.pair.weight.diagonal().square().mean()
