from torch import nn


class Generator(nn.Module):
    def __init__(self, z, out):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(z, 32), nn.BatchNorm1d(32), nn.ReLU(True), nn.Linear(32, out), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, inp):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(inp, 32), nn.LeakyReLU(0.2, inplace=True), nn.Dropout(0.2), nn.Linear(32, 1), nn.Sigmoid())

    def forward(self, x):
        return self.main(x)
