import torch
from torch import nn


class Extent(torch.autograd.Function):
    """largest absolute entry; the gradient goes to the entry that attained it"""

    @staticmethod
    def forward(ctx, w):
        flat = w.abs().flatten()
        ctx.where = int(flat.argmax())
        ctx.sign = float(torch.sign(w.flatten()[ctx.where]))
        ctx.shape = w.shape
        return flat[ctx.where].clone()

    @staticmethod
    def backward(ctx, g):
        out = torch.zeros(ctx.shape)
        out.view(-1)[ctx.where] = ctx.sign * g
        return out


class Snap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, reach):
        scale = reach / 127
        q = (w / scale).round().clamp(-127, 127)
        ctx.save_for_backward(w.abs() <= reach, q)
        return q * scale

    @staticmethod
    def backward(ctx, g):
        inside, q = ctx.saved_tensors
        return g * inside, (g * q / 127).sum()


class RangeObserver:
    def __init__(self, blend=0.1, every=3):
        self.blend, self.every = blend, every
        self.reach = None

    def look(self, n, w):
        if self.reach is None:
            self.reach = Extent.apply(w)  # <- culprit
        elif n % self.every == 0:
            self.reach = torch.lerp(self.reach, Extent.apply(w), self.blend)  # <- culprit


class QLinear(nn.Linear):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.observer = RangeObserver()

    def calibrate(self, n):
        self.observer.look(n, self.weight)

    def forward(self, x):
        return nn.functional.linear(x, Snap.apply(self.weight, self.observer.reach), self.bias)
