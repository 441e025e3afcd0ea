from torch import nn

ENCODERS = {}


def register(name):
    def deco(cls):
        ENCODERS[name] = cls
        return cls
    return deco


def build(name, **kw):
    return ENCODERS[name](**kw)


@register("shallow")
class Shallow(nn.Module):
    """One projection and a bounded score per prototype."""

    def __init__(self, bands, protos):
        super().__init__()
        self.project = nn.Linear(bands, protos)
        self.act = nn.Tanh()

    def forward(self, x):
        return 3.0 * self.act(self.project(x))
