import torch
from torch import nn

REGISTRY = {"model": {}, "optim": {}}


def register(kind, name):
    def deco(fn):
        REGISTRY[kind][name] = fn
        return fn
    return deco


def build(kind, cfg, **extra):
    cfg = dict(cfg)
    return REGISTRY[kind][cfg.pop("name")](**cfg, **extra)


@register("optim", "adam")
def adam(lr, params):
    return torch.optim.Adam(params, lr=lr)


@register("model", "two_head")
class TwoHead(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, h), nn.ELU(), nn.Linear(h, h))
        self.cls, self.reg = nn.Linear(h, 4), nn.Linear(h, 1)

    def forward(self, x):
        z = torch.tanh(self.body(x))
        return z, self.cls(z), self.reg(z).squeeze(1)
