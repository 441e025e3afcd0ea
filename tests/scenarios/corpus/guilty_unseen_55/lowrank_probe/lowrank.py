import torch
from torch import nn


class LowRank(nn.Module):
    def __init__(self, base: nn.Linear, rank: int, scale: float = 1.0):
        super().__init__()
        self.base = base
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = scale

    def trainable(self):
        return [self.down, self.up]

    def forward(self, x):
        return self.base(x) + self.scale * (x @ self.down.t()) @ self.up.t()


def attach(net, rank):
    made = {}
    for name, child in list(net.named_children()):
        if isinstance(child, nn.Linear):
            made[name] = LowRank(child, rank)
            setattr(net, name, made[name])
    return made
