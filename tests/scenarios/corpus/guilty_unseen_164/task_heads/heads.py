import torch
from torch import nn
import torch.nn.functional as F

HEADS = {}


def register(name):
    def wrap(cls):
        HEADS[name] = cls
        return cls
    return wrap


class Head(nn.Module):
    momentum = 0.1

    def __init__(self, width, out):
        super().__init__()
        self.proj = nn.Linear(width, out)
        self.log_scale = nn.Parameter(torch.zeros(()))
        self.smoothed = None

    def criterion(self, out, target):
        raise NotImplementedError

    def uncertainty(self):
        if self.smoothed is None:
            self.smoothed = self.log_scale * 1.0
        else:
            self.smoothed = self.smoothed + self.momentum * (self.log_scale - self.smoothed)  # <- culprit
        return self.smoothed

    def forward(self, shared, target):
        raw = self.criterion(self.proj(shared), target)
        s = self.uncertainty()
        return raw * torch.exp(-s) + s, raw


@register("angle")
class AngleHead(Head):
    def __init__(self, width):
        super().__init__(width, 2)

    def criterion(self, out, target):
        return 1 - F.cosine_similarity(out, target).mean()


@register("depth")
class DepthHead(Head):
    def __init__(self, width):
        super().__init__(width, 1)

    def criterion(self, out, target):
        return F.smooth_l1_loss(out, target)


@register("label")
class LabelHead(Head):
    def __init__(self, width):
        super().__init__(width, 4)

    def criterion(self, out, target):
        return F.cross_entropy(out, target)
