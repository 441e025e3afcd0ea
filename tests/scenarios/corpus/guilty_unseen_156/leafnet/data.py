import torch


def leaves(n, gen, size=20):
    """Ellipses of four aspect ratios in random orientation."""
    lab = torch.randint(0, 4, (n,), generator=gen)
    ys, xs = torch.meshgrid(torch.linspace(-1, 1, size), torch.linspace(-1, 1, size), indexing="ij")
    angle = torch.rand(n, 1, 1, generator=gen) * 3.1416
    u = xs * angle.cos() + ys * angle.sin()
    v = -xs * angle.sin() + ys * angle.cos()
    ratio = (1.0 + lab.float()).view(n, 1, 1)
    shape = torch.sigmoid(12 * (0.6 - (u ** 2 + (ratio * v) ** 2).sqrt()))
    img = shape + 0.15 * torch.randn(n, size, size, generator=gen)
    return img.unsqueeze(1), lab
