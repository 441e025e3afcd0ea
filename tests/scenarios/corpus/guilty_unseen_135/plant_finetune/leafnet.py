import torch
from torch import nn


class LeafNet(nn.Module):
    def __init__(self, species=4):
        super().__init__()
        self.stem = nn.Conv2d(3, 6, 3, stride=2)
        self.block = nn.Conv2d(6, 8, 3)
        self.fc = nn.Linear(8, species)

    def forward(self, x):
        h = torch.relu(self.block(torch.relu(self.stem(x))))
        return self.fc(h.mean((2, 3)))


def leaf_batches(n, species=4):
    g = torch.Generator().manual_seed(7)
    colour = torch.rand(species, 3, 1, 1, generator=g) * 2
    for _ in range(n):
        y = torch.randint(0, species, (8,), generator=g)
        yield colour[y] + 0.3 * torch.randn(8, 3, 11, 11, generator=g), y
