import torch


def views(x):
    def one():
        return x * (torch.rand_like(x) > 0.15) + 0.2 * torch.randn_like(x)

    return one(), one()
