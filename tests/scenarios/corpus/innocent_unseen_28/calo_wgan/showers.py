import torch


def shower_stream(batch, seed):
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(8.0), torch.arange(8.0), indexing='ij')
    while True:
        energy = 1 + 4 * torch.rand(batch, 1, generator=g)
        c = 3.5 + 0.7 * torch.randn(batch, 2, generator=g)
        width = 1 + 0.1 * energy.view(-1, 1, 1)
        d2 = (xx - c[:, :1, None]) ** 2 + (yy - c[:, 1:, None]) ** 2
        cells = torch.exp(-d2 / width).flatten(1)
        yield energy * cells / cells.sum(1, keepdim=True), energy
