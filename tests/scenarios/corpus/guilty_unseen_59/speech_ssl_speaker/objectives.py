"""Training objectives. Each one owns a head and pushes its own gradients."""
import torch
import torch.nn.functional as F
from torch import nn


class StepContext:
    """What the objectives of a single step share; the encoder runs at most once."""

    def __init__(self, encoder, batch, step):
        self.encoder = encoder
        self.batch = batch
        self.step = step
        self._pooled = None

    @property
    def pooled(self):
        if self._pooled is None:
            self._pooled = self.encoder(self.batch["mel"])  # <- culprit
        return self._pooled


class Objective(nn.Module):
    name = "objective"

    def __init__(self, start=0, weight=1.0):
        super().__init__()
        self.start = start
        self.weight = weight

    def is_active(self, step):
        return step >= self.start

    def run(self, ctx):
        loss = self.compute(ctx)
        (self.weight * loss).backward()  # <- culprit
        return loss.item()


class KeywordObjective(Objective):
    name = "keyword"

    def __init__(self, dim, classes, **kw):
        super().__init__(**kw)
        self.head = nn.Linear(dim, classes)

    def compute(self, ctx):
        return F.cross_entropy(self.head(ctx.pooled), ctx.batch["keyword"])


class ReverseGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.scale * grad, None


class SpeakerAdversary(Objective):
    name = "speaker"

    def __init__(self, dim, speakers, **kw):
        super().__init__(**kw)
        self.head = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, speakers))

    def compute(self, ctx):
        logits = self.head(ReverseGrad.apply(ctx.pooled, 0.5))
        return F.cross_entropy(logits, ctx.batch["speaker"])
