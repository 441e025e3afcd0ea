from torch import nn


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


class Generator(nn.Module):
    def __init__(self, nz=8):
        super().__init__()
        self.nz = nz
        self.net = mlp(nz, 48, 2)

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(2, 48, 1)

    def forward(self, x):
        return self.net(x).squeeze(1)
