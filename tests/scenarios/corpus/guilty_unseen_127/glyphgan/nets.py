from torch import nn


class Artist(nn.Sequential):
    def __init__(self, noise, pixels):
        super().__init__(nn.Linear(noise, 24), nn.LeakyReLU(0.2), nn.Linear(24, pixels), nn.Tanh())
        self.noise = noise


class Judge(nn.Sequential):
    def __init__(self, pixels):
        super().__init__(nn.Linear(pixels, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
