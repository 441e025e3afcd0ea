import torch

from .registry import Pluggable


class Term(Pluggable):
    last = None

    def __call__(self, theta):
        self.last = self.value(theta)
        return self.last


class Ridge(Term, group="term", name="ridge"):
    def value(self, theta):
        return theta["palate"].square().mean()


class SmoothTasters(Term, group="term", name="smooth_tasters"):
    """Tasters should not be too unlike their colleagues."""

    def value(self, theta):
        p = theta["palate"]
        return (p - p.mean(0, keepdim=True)).square().mean()


class Entropy(Term, group="term", name="entropy"):
    def value(self, theta):
        q = torch.softmax(theta["aroma"], dim=-1)
        return (q * q.log()).sum(-1).mean()
