import torch


def sample_spectra(batch, n):
    x = torch.linspace(0, 1, n)
    centre = torch.tensor([0.25, 0.6]) + 0.02 * torch.randn(batch, 2)
    height = 0.5 + torch.rand(batch, 2)
    peaks = height[..., None] / (1 + ((x - centre[..., None]) / 0.04) ** 2)
    return peaks.sum(1) + 0.02 * torch.rand(batch, n)
