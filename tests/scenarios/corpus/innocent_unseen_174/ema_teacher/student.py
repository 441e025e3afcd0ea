import torch
from torch import nn


class Student(nn.Module):
    def __init__(self, dim=20, hidden=40, classes=4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.LeakyReLU(0.1), nn.Linear(hidden, classes))

    def forward(self, x):
        return self.net(x)


class Blobs:
    def __init__(self, dim=20, classes=4, labelled=16, plain=48, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.centres = 1.2 * torch.randn(classes, dim, generator=self.g)
        self.labelled, self.plain = labelled, plain

    def draw(self, n):
        y = torch.randint(len(self.centres), (n,), generator=self.g)
        return self.centres[y] + torch.randn(n, self.centres.shape[1], generator=self.g), y

    def step(self):
        x, y = self.draw(self.labelled)
        return x, y, self.draw(self.plain)[0]
