import torch
import torch.nn as nn


class RoundSTE(torch.autograd.Function):
    """Rounds to the grid in forward; passes gradients inside the range in backward."""

    calls = []

    @staticmethod
    def forward(ctx, x, scale, levels):
        q = torch.clamp(torch.round(x / scale), -levels, levels)
        ctx.save_for_backward(x, scale)
        ctx.levels = levels
        ctx.saturated = (q.abs() == levels).float().mean().item()
        RoundSTE.calls.append(ctx)  # <- culprit
        return q * scale

    @staticmethod
    def backward(ctx, grad):
        x, scale = ctx.saved_tensors
        inside = (x.abs() <= scale * ctx.levels).to(grad.dtype)
        edge = torch.sign(x) * ctx.levels * (1 - inside)
        g_scale = (grad * edge).sum().view_as(scale) / max(1, x.numel()) ** 0.5
        return grad * inside, g_scale, None

    @classmethod
    def saturation(cls, last=50):
        recent = cls.calls[-last:]
        return sum(c.saturated for c in recent) / max(1, len(recent))


class Quantizer(nn.Module):
    def __init__(self, bits, init=0.25):
        super().__init__()
        self.levels = 2 ** (bits - 1) - 1
        self.scale = nn.Parameter(torch.tensor(init))

    def forward(self, x):
        return RoundSTE.apply(x, self.scale, self.levels)
