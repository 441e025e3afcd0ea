import torch


def two_views(o):
    basis = torch.randn(5, o.n_pix)
    while True:
        leaf = torch.randn(o.batch, 5) @ basis
        yield tuple(leaf + 0.4 * torch.randn_like(leaf) for _ in range(2))
