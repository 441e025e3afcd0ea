from torch import nn


def generator(latent, cells=36):
    return nn.Sequential(nn.Linear(latent, 64), nn.LeakyReLU(0.1), nn.Linear(64, 64), nn.LeakyReLU(0.1),
                         nn.Linear(64, cells), nn.Softplus())


def critic(cells=36):
    return nn.Sequential(nn.Linear(cells, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1))
