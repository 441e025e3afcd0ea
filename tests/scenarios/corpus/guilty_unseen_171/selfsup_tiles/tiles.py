import torch


def make_tiles(n=512, size=16, kinds=6, seed=0):
    """Grey satellite tiles: stripes of some direction and pitch, with speckle."""
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    kind = torch.randint(kinds, (n,), generator=g)
    angle = kind.float() / kinds * 3.1416
    phase = torch.rand(n, generator=g) * 6.28
    proj = torch.cos(angle)[:, None, None] * xx + torch.sin(angle)[:, None, None] * yy
    img = torch.sin(0.9 * proj + phase[:, None, None])
    img = img + 0.3 * torch.randn(n, size, size, generator=g)
    return img.unsqueeze(1), kind


def augment(x):
    if torch.rand(()) < 0.5:
        x = torch.roll(x, int(torch.randint(1, 8, ())), dims=-1)
    gain = 0.7 + 0.6 * torch.rand(x.size(0), 1, 1, 1)
    return x * gain + 0.1 * torch.randn_like(x)
