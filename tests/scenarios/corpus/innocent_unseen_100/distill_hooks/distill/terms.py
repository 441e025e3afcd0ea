import torch
import torch.nn.functional as F
from torch import nn


class Term(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight
        self.history = []

    def value(self, ctx):
        raise NotImplementedError

    def forward(self, ctx):
        v = self.value(ctx)
        self.history.append(v.detach())
        return self.weight * v


class LabelTerm(Term):
    def value(self, ctx):
        return F.cross_entropy(ctx["s"], ctx["y"])


class SoftTerm(Term):
    def __init__(self, weight, temperature):
        super().__init__(weight)
        self.t = temperature

    def value(self, ctx):
        return F.kl_div((ctx["s"] / self.t).log_softmax(-1), (ctx["t"] / self.t).softmax(-1), reduction="batchmean")


class FeatureTerm(Term):
    def __init__(self, weight, pair, widths):
        super().__init__(weight)
        self.pair = pair
        self.lift = nn.Linear(widths[1], widths[0])

    def value(self, ctx):
        a, b = ctx["taps"][0][self.pair[0]], ctx["taps"][1][self.pair[1]]
        return F.mse_loss(self.lift(b), a)
