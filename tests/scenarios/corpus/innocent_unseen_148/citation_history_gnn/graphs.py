import torch


def sbm(n, k, p=0.15, q=0.01):
    y = torch.arange(n) % k
    same = y[:, None] == y[None]
    a = (torch.rand(n, n) < torch.where(same, p, q)).float().triu(1)
    a = a + a.t() + torch.eye(n)
    d = a.sum(1).rsqrt()
    x = torch.nn.functional.one_hot(y, k).float() + 1.5 * torch.randn(n, k)
    return torch.cat([x, torch.randn(n, 8)], 1), y, d[:, None] * a * d[None]


def clusters(n, parts):
    yield from torch.randperm(n).chunk(parts)
