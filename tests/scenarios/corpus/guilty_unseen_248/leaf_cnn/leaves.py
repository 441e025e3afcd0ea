import torch


def make_leaf(label, gen, size=32):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, size), torch.linspace(-1, 1, size), indexing="ij")
    theta = torch.atan2(yy, xx)
    r = torch.sqrt(xx ** 2 + yy ** 2)
    lobes = 2 + label
    shift = torch.rand(1, generator=gen) * 6.28
    mask = (r < 0.6 + 0.25 * torch.cos(lobes * theta + shift)).float()
    img = torch.stack([0.3 * mask, 0.8 * mask, 0.2 * mask])
    return img + 0.15 * torch.randn(3, size, size, generator=gen)


def get_batches(n, batch_size, seed):
    gen = torch.Generator().manual_seed(seed)
    out = []
    for _ in range(n):
        labels = torch.randint(0, 5, (batch_size,), generator=gen)
        images = torch.stack([make_leaf(int(l), gen) for l in labels])
        out.append((images, labels))
    return out
