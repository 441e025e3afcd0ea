import torch
from torch import nn


class UnetSmall(nn.Module):
    def __init__(self, ngf):
        super().__init__()
        self.down = nn.Conv2d(1, ngf, 4, 2, 1)
        self.mid = nn.Conv2d(ngf, ngf, 3, 1, 1)
        self.up = nn.ConvTranspose2d(2 * ngf, 1, 4, 2, 1)

    def forward(self, x):
        d = torch.relu(self.down(x))
        m = torch.relu(self.mid(d))
        return torch.tanh(self.up(torch.cat([d, m], 1)))


def patch_discriminator(ndf):
    return nn.Sequential(nn.Conv2d(2, ndf, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(ndf, 1, 3, 1, 1))


class GANLoss(nn.Module):
    def forward(self, prediction, target_is_real):
        target = torch.full_like(prediction, 1.0 if target_is_real else 0.0)
        return nn.functional.binary_cross_entropy_with_logits(prediction, target)
