import torch

from ledger import LEDGER


class GradGate(torch.autograd.Function):
    """Identity forward, scaled gradient backward (one stream must not drown the other)."""

    @staticmethod
    def forward(ctx, x, scale, stream):
        ctx.scale = float(scale)
        LEDGER.enter(stream, ctx, x.shape)  # <- culprit
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.scale, None, None


def gate(x, scale, stream):
    return GradGate.apply(x, scale, stream)
