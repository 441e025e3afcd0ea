import torch
from torch import nn


class FareNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.season = nn.Embedding(4, 6)
        self.mix = nn.Sequential(nn.Linear(9, 16), nn.ReLU(), nn.Linear(16, 1))

    def cost(self, trip):
        season, load, fare = trip
        guess = self.mix(torch.cat([self.season(season), load], -1)).squeeze(-1)
        return (guess - fare).square().mean()


def sailings(n):
    for _ in range(n):
        season, load = torch.randint(0, 4, (14,)), torch.rand(14, 3)
        noise = 0.3 * torch.randn(14) * (3.0 if torch.rand(()) < 0.1 else 1.0)
        yield season, load, load.sum(-1) * (1 + 0.2 * season) + noise
