import torch
from torch import nn


class Surrogate(nn.Module):
    def __init__(self, inputs, width=24):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(inputs, width), nn.Softplus(), nn.Linear(width, width))
        self.head = nn.Sequential(nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.head(self.features(x)).squeeze(1)


def measurements(gen, count, size=48, inputs=5):
    for _ in range(count):
        x = torch.rand(size, inputs, generator=gen) * 2 - 1
        y = torch.exp(-x[:, 0] ** 2) + x[:, 1] * x[:, 2] - 0.5 * torch.cos(3 * x[:, 3])
        yield x, y
