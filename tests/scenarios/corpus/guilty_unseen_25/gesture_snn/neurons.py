import torch
from torch import nn
from .registry import register


class _ATan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u):
        ctx.save_for_backward(u)
        return (u > 0).to(u)

    @staticmethod
    def backward(ctx, g):
        (u,) = ctx.saved_tensors
        return g / (1 + (3.1416 * u).square())


class BaseNode(nn.Module):
    """keeps its membrane between calls; `reset()` forgets it"""

    def __init__(self, threshold=0.25):
        super().__init__()
        self.threshold = threshold
        self.v = None

    def reset(self):
        self.v = None

    def charge(self, x):
        raise NotImplementedError

    def forward(self, x):
        v = self.charge(x)
        s = _ATan.apply(v - self.threshold)
        self.v = v - self.threshold * s.detach()  # <- culprit
        return s


@register("lif")
class LIF(BaseNode):
    def __init__(self, tau=2.0, **kw):
        super().__init__(**kw)
        self.tau = tau

    def charge(self, x):
        if self.v is None:
            self.v = torch.zeros_like(x)
        return self.v + (x - self.v) / self.tau
