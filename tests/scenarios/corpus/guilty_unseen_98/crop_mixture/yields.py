import torch

_W = torch.randn(3, 14, generator=torch.Generator().manual_seed(1))


def sample_fields(n):
    region = torch.randint(0, 3, (n,))
    ndvi = torch.randn(n, 14)
    ndvi[:, 0] = region.float()
    tons = (ndvi * _W[region]).sum(1) * 0.3 + 0.1 * torch.randn(n)
    return ndvi, tons
