import torch
from torch import nn

_REGISTRY = {}


def register(name):
    def wrap(cls):
        _REGISTRY[name] = cls
        return cls
    return wrap


def build(name, **kwargs):
    return _REGISTRY[name](**kwargs)


@register("lane_mlp")
class LaneMLP(nn.Module):
    def __init__(self, rows, cols, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Flatten(),
            nn.Linear(rows * cols, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.steer = nn.Linear(width, 1)
        self.offset = nn.Linear(width, 1)

    def forward(self, frames):
        z = self.body(frames)
        return {"steer": torch.tanh(self.steer(z)).squeeze(-1),
                "offset": self.offset(z).squeeze(-1)}
