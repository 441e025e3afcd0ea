import torch
from torch import nn


def to_image(kspace):
    return torch.fft.ifft2(kspace, norm="ortho")


def to_kspace(image):
    return torch.fft.fft2(image, norm="ortho")


class Refine(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(2, width, 3, padding=1),
            nn.LeakyReLU(0.1),
            nn.Conv2d(width, width, 3, padding=1),
            nn.LeakyReLU(0.1),
            nn.Conv2d(width, 2, 3, padding=1),
        )

    def forward(self, image):
        x = torch.view_as_real(image).permute(0, 3, 1, 2)
        y = (x + self.net(x)).permute(0, 2, 3, 1).contiguous()
        return torch.view_as_complex(y)


class CascadeNet(nn.Module):
    def __init__(self, cascades, width):
        super().__init__()
        self.blocks = nn.ModuleList(Refine(width) for _ in range(cascades))
        self.weight = nn.Parameter(torch.tensor(0.5))

    def forward(self, kspace, mask):
        image = to_image(kspace)
        for block in self.blocks:
            k = to_kspace(block(image))
            k = k + self.weight * mask * (kspace - k)
            image = to_image(k)
        return image

    def losses(self, sample):
        kspace, mask, target = sample
        image = self(kspace, mask)
        residual = mask * (to_kspace(image) - kspace)
        return {"l1": (image.abs() - target).abs().mean(), "dc": 0.1 * residual.abs().pow(2).mean()}
