import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Denoise(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(2, width, 3, padding=1), nn.LeakyReLU(0.1), nn.Conv2d(width, 2, 3, padding=1))

    def forward(self, x):
        return x - self.net(x)


def data_consistency(x, measured, mask, strength):
    k = torch.fft.fft2(torch.complex(x[:, 0], x[:, 1]), norm="ortho")
    k = k - strength * mask * (k - measured)
    image = torch.fft.ifft2(k, norm="ortho")
    return torch.stack([image.real, image.imag], 1)


class UnrolledNet(nn.Module):
    """Alternates denoising and data consistency; cascades are recomputed in backward."""

    def __init__(self, cascades=4, width=8):
        super().__init__()
        self.cascades = nn.ModuleList(Denoise(width) for _ in range(cascades))
        self.strength = nn.Parameter(torch.full((cascades,), 0.8))

    def cascade(self, k, x, measured, mask):
        return data_consistency(self.cascades[k](x), measured, mask, self.strength[k])

    def forward(self, measured, mask):
        image = torch.fft.ifft2(measured, norm="ortho")
        x = torch.stack([image.real, image.imag], 1)
        stages = []
        for k in range(len(self.cascades)):
            x = checkpoint(self.cascade, k, x, measured, mask, use_reentrant=False)
            stages.append(x)
        return stages
