import torch
from torch import nn


class HiveModel(nn.Module):
    def __init__(self, n_inputs):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_inputs, 20), nn.Mish(), nn.Linear(20, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def scale_readings(n, batch, seed):
    gen = torch.Generator().manual_seed(seed)
    for hour in range(n):
        x = torch.randn(batch, 7, generator=gen)
        bloom = torch.sin(torch.tensor(hour / 40.0))
        nectar = torch.relu(x[:, 0] + bloom) * torch.sigmoid(x[:, 1])
        weight = 2.0 + nectar - 0.3 * x[:, 2] + 0.1 * torch.randn(batch, generator=gen)
        yield x, weight
