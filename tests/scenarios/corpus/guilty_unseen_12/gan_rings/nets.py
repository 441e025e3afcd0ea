import torch.nn as nn


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Linear") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.1)
        nn.init.zeros_(m.bias.data)


class Generator(nn.Module):
    def __init__(self, nz, ngf):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.Linear(nz, ngf), nn.BatchNorm1d(ngf), nn.ReLU(True),
            nn.Linear(ngf, ngf), nn.BatchNorm1d(ngf), nn.ReLU(True),
            nn.Linear(ngf, 2),
        )

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self, ndf):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(
            nn.Linear(2, ndf), nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(ndf, ndf), nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(ndf, 1),
        )

    def forward(self, input):
        return self.main(input)
