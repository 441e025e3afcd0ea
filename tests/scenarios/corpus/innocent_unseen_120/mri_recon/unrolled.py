import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Cascade(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(2, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, 2, 3, padding=1),
        )
        self.lam = nn.Parameter(torch.tensor(0.5))

    def forward(self, image, kspace, mask):
        x = torch.view_as_complex((torch.view_as_real(image) + self.net(
            torch.view_as_real(image).permute(2, 0, 1)[None])[0].permute(1, 2, 0)).contiguous())
        k = torch.fft.fft2(x, norm="ortho")
        k = k - torch.sigmoid(self.lam) * mask * (k - kspace)
        return torch.fft.ifft2(k, norm="ortho")


class Unrolled(nn.Module):
    def __init__(self, cascades):
        super().__init__()
        self.stages = nn.ModuleList(Cascade() for _ in range(cascades))

    def forward(self, kspace, mask):
        image = torch.fft.ifft2(kspace, norm="ortho")
        for s in self.stages:
            image = checkpoint(s, image, kspace, mask, use_reentrant=False)
        return image.real
