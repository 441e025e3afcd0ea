from torch import nn


class MLP(nn.Sequential):
    def __init__(self, *dims):
        layers = []
        for a, b in zip(dims[:-2], dims[1:-1]):
            layers += [nn.Linear(a, b), nn.LeakyReLU(0.1)]
        layers.append(nn.Linear(dims[-2], dims[-1]))
        super().__init__(*layers)


class VibrationEncoder(MLP):
    def __init__(self, length, latent):
        super().__init__(length, 64, 32, latent)


class Decoder(MLP):
    def __init__(self, latent, length):
        super().__init__(latent, 32, 64, length)
