import torch
from torch import nn


class Traveller(nn.Module):
    def __init__(self, d=20, w=56):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, w), nn.ReLU(), nn.Linear(w, w), nn.ReLU())
        self.doors = nn.ModuleDict()

    def arrive(self, island, classes):
        self.doors[island] = nn.Linear(56, classes)
        return self.doors[island].parameters()

    def forward(self, x, island):
        return self.doors[island](self.body(x))


class Island:
    def __init__(self, name, seed, classes=4):
        g = torch.Generator().manual_seed(seed)
        self.name, self.classes, self.g = name, classes, g
        self.means = torch.randn(classes, 20, generator=g) * 1.1
        self.turn = torch.linalg.qr(torch.randn(20, 20, generator=g))[0]

    def draw(self, n):
        y = torch.randint(self.classes, (n,), generator=self.g)
        x = self.means[y] + torch.randn(n, 20, generator=self.g)
        return torch.tanh(x @ self.turn), y
