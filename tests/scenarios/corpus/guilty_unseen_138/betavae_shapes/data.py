import torch
from torch.utils.data import DataLoader


def _shapes(n, gen, width=24):
    t = torch.arange(width).float()
    out = []
    for _ in range(n):
        c = torch.rand(1, generator=gen) * width
        w = 2 + 4 * torch.rand(1, generator=gen)
        if torch.rand(1, generator=gen) < 0.5:
            out.append(((t - c).abs() < w).float())
        else:
            out.append((1 - (t - c).abs() / w).clamp(min=0))
    return torch.stack(out)


def shape_loader(n, batch, seed):
    gen = torch.Generator().manual_seed(seed)
    return DataLoader(_shapes(n, gen), batch_size=batch, shuffle=True, generator=gen)
