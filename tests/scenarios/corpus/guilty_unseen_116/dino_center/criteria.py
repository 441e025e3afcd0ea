from typing import NamedTuple

import torch
import torch.nn.functional as F

LOSSES = {}


def loss(name):
    def deco(cls):
        LOSSES[name] = cls
        return cls
    return deco


class CenterState(NamedTuple):
    center: torch.Tensor
    seen: int

    def blend(self, batch_mean, momentum):
        mixed = momentum * self.center + (1 - momentum) * batch_mean
        return self._replace(center=mixed, seen=self.seen + 1)  # <- culprit


@loss("plain")
class PlainCE:
    def __init__(self, protos, **_):
        self.protos = protos

    def __call__(self, a, b):
        return F.cross_entropy(a, b.detach().softmax(-1))


@loss("centred")
class CentredCE:
    def __init__(self, protos, momentum, temp):
        self.momentum, self.temp = momentum, temp
        self.state = CenterState(torch.zeros(protos), 0)

    def _sharpen(self, scores):
        return ((scores.detach() - self.state.center) / self.temp).softmax(-1)

    def __call__(self, a, b):
        target_a, target_b = self._sharpen(a), self._sharpen(b)
        value = 0.5 * (F.cross_entropy(a, target_b) + F.cross_entropy(b, target_a))
        batch_mean = torch.cat([a, b]).mean(0)  # <- culprit
        self.state = self.state.blend(batch_mean, self.momentum)  # <- culprit
        return value
