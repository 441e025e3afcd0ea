import torch
from torch.autograd import Function


class Snap(Function):
    """Nearest code forward; straight-through towards the encoder, commitment pull added in the backward."""

    @staticmethod
    def forward(ctx, z, codes, beta):
        pick = torch.cdist(z, codes).argmin(1)
        q = codes[pick]
        ctx.save_for_backward(z, q)
        ctx.beta = beta
        ctx.mark_non_differentiable(pick)
        return q, pick

    @staticmethod
    def backward(ctx, g, _):
        z, q = ctx.saved_tensors
        return g + ctx.beta * 2 * (z - q) / len(z), None, None


class RoundClip(Function):
    @staticmethod
    def forward(ctx, img, levels):
        ctx.inside = (img >= 0) & (img <= 1)
        return (img.clamp(0, 1) * (levels - 1)).round() / (levels - 1)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.inside, None
