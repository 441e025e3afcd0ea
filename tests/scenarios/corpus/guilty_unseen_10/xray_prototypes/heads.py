"""Classification heads on top of the frozen chest X-ray backbone."""
import torch
import torch.nn.functional as F
from torch import nn

HEADS = {}


def register(name):
    def deco(cls):
        HEADS[name] = cls
        return cls

    return deco


@register("linear")
class LinearHead(nn.Module):
    def __init__(self, in_dim, n_classes, **_):
        super().__init__()
        self.fc = nn.Linear(in_dim, n_classes)

    def forward(self, feats, labels=None):
        return self.fc(feats)


@register("prototype")
class PrototypeHead(nn.Module):
    """Cosine similarity to slowly moving class prototypes."""

    def __init__(self, in_dim, n_classes, dim=24, momentum=0.9, tau=0.1):
        super().__init__()
        self.proj = nn.Linear(in_dim, dim)
        self.n_classes = n_classes
        self.momentum = momentum
        self.tau = tau
        self.prototypes = None

    def _class_means(self, z, labels):
        onehot = F.one_hot(labels, self.n_classes).to(z.dtype)
        counts = onehot.sum(0).clamp(min=1).unsqueeze(1)
        return onehot.t() @ z / counts

    def _move(self, z, labels):
        means = self._class_means(z, labels)
        if self.prototypes is None:
            self.prototypes = means.detach()
        else:
            self.prototypes = self.momentum * self.prototypes + (1 - self.momentum) * means  # <- culprit

    def forward(self, feats, labels=None):
        z = F.normalize(self.proj(feats), dim=-1)
        if self.training and labels is not None:
            self._move(z, labels)
        return z @ F.normalize(self.prototypes, dim=-1).t() / self.tau


def build_head(name, **kw):
    return HEADS[name](**kw)
