import torch

SHAPES = torch.randn(4, 16, 16, generator=torch.Generator().manual_seed(91))


def scan_batch(n, gen):
    organ = torch.randint(0, 4, (n,), generator=gen)
    density = torch.rand(n, generator=gen)
    contrast = (torch.rand(n, generator=gen) < 0.5).float()
    img = SHAPES[organ] * (0.5 + density)[:, None, None] + contrast[:, None, None] * 0.7
    img = img + 0.3 * torch.randn(n, 16, 16, generator=gen)
    return img.unsqueeze(1), {"organ": organ, "density": density, "contrast": contrast}
