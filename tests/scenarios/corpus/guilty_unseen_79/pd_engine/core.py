from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

_TABLE = defaultdict(dict)


def register(group, kind):
    def deco(obj):
        if kind in _TABLE[group]:
            raise KeyError(f"{group}/{kind} registered twice")
        _TABLE[group][kind] = obj
        return obj
    return deco


def build(group, kind, **kw):
    return _TABLE[group][kind](**kw)


@register("model", "mlp")
def mlp(features, width):
    return nn.Sequential(
        nn.Linear(features, width), nn.ELU(), nn.Linear(width, width), nn.ELU(), nn.Linear(width, 1)
    )


class Plugin:
    def attach(self, engine):
        pass

    def weights(self, y):
        return None

    def penalty(self, model):
        return None

    def after_step(self, engine):
        pass


class Engine:
    def __init__(self, model, plugins, lr=3e-3):
        self.model, self.plugins = model, plugins
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.step = 0
        self.last = float("nan")
        for p in plugins:
            p.attach(self)

    def objective(self, x, y):
        w = torch.ones_like(y)
        for p in self.plugins:
            extra = p.weights(y)
            w = w if extra is None else w * extra
        total = F.binary_cross_entropy_with_logits(self.model(x).squeeze(-1), y, weight=w)
        for p in self.plugins:
            term = p.penalty(self.model)
            total = total if term is None else total + term
        return total

    def run(self, stream):
        for x, y in stream:
            self.opt.zero_grad()
            total = self.objective(x, y)
            total.backward()
            self.opt.step()
            self.last = total.item()
            for p in self.plugins:
                p.after_step(self)
            self.step += 1
