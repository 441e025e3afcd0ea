import torch
from torch import nn

REGISTRY = {}


def register(name):
    def wrap(cls):
        REGISTRY[name] = cls
        return cls
    return wrap


def build(name, **kw):
    return REGISTRY[name](**kw)


@register("mpnn")
class MPNN(nn.Module):
    def __init__(self, width, rounds):
        super().__init__()
        self.emb = nn.Embedding(10, width)
        self.msg = nn.ModuleList(nn.Linear(width, width) for _ in range(rounds))
        self.cell = nn.GRUCell(width, width)
        self.read = nn.Linear(width, 1)

    def forward(self, z, a):
        h = self.emb(z)
        for lin in self.msg:
            m = a @ torch.relu(lin(h))
            h = self.cell(m.flatten(0, 1), h.flatten(0, 1)).view_as(h)
        return self.read(h).squeeze(-1), h
