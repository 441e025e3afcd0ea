from torch import nn


def generator(z=8, c=12):
    return nn.Sequential(
        nn.Unflatten(1, (z, 1, 1)),
        nn.ConvTranspose2d(z, c, 4), nn.SiLU(),
        nn.ConvTranspose2d(c, c, 4, stride=2, padding=1), nn.SiLU(),
        nn.ConvTranspose2d(c, 1, 4, stride=2, padding=1),
    )


def critic(c=12):
    return nn.Sequential(
        nn.Conv2d(1, c, 4, stride=2, padding=1), nn.SiLU(),
        nn.Conv2d(c, c, 4, stride=2, padding=1), nn.SiLU(),
        nn.Flatten(), nn.Linear(c * 16, 1),
    )
