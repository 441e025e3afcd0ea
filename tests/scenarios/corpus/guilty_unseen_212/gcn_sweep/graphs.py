import torch


def planted_partition(n, k, dim, seed, p_in=0.08, p_out=0.01):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, k, (n,), generator=g)
    same = y[:, None] == y[None]
    prob = same.float() * p_in + (~same).float() * p_out
    a = (torch.rand(n, n, generator=g) < prob).float().triu(1)
    a = a + a.T + torch.eye(n)
    d = a.sum(1).rsqrt()
    adj = (d[:, None] * a * d[None]).to_sparse()
    x = torch.nn.functional.one_hot(y, k).float() @ torch.randn(k, dim, generator=g)
    x = x + 1.5 * torch.randn(n, dim, generator=g)
    mask = torch.rand(n, generator=g) < 0.2
    return x, adj, y, mask
