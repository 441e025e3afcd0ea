import torch


def spectra(bins, peaks, batch):
    axis = torch.linspace(0, 1, bins)
    while True:
        centre = torch.rand(batch, peaks).sort(1).values
        height = 0.5 + torch.rand(batch, peaks)
        line = (height[..., None] * torch.exp(-((axis - centre[..., None]) / 0.04) ** 2)).sum(1)
        yield line + 0.05 * torch.randn(batch, bins), centre
