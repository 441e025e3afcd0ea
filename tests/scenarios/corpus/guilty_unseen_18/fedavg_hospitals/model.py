import torch
from torch import nn


class RiskModel(nn.Sequential):
    def __init__(self, features=48, hidden=224):
        super().__init__(
            nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1)
        )


def flatten(model):
    return torch.cat([p.detach().reshape(-1) for p in model.parameters()])


@torch.no_grad()
def unflatten_(model, vector):
    offset = 0
    for p in model.parameters():
        p.copy_(vector[offset:offset + p.numel()].view_as(p))
        offset += p.numel()
    return model
