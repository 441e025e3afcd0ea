import torch


def crater_profiles(n, points=48, seed=0):
    """Fresh craters have sharp rims and deep bowls; diffusion softens both with age."""
    g = torch.Generator().manual_seed(seed)
    age = torch.rand(n, generator=g)
    r = torch.linspace(0, 2, points)
    depth = (1 - 0.8 * age)[:, None]
    rim = 0.05 + 0.25 * age[:, None]
    bowl = -depth * torch.clamp(1 - r ** 2, min=0)
    crest = 0.3 * depth * torch.exp(-((r - 1) / rim) ** 2)
    return bowl + crest + 0.04 * torch.randn(n, points, generator=g), age
