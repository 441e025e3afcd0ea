import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes, dropout=0.0):
        super().__init__()
        layers = []
        for a, b in zip(sizes[:-2], sizes[1:-1]):
            layers += [nn.Linear(a, b), nn.SiLU(), nn.Dropout(dropout)]
        layers.append(nn.Linear(sizes[-2], sizes[-1]))
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


def frozen(model):
    model.eval()
    for p in model.parameters():
        p.requires_grad_(False)
    return model
