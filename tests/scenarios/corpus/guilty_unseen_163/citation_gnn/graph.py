import torch


def random_citation_graph(n=200, n_class=4, n_feat=16, seed=1):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, n_class, (n,), generator=g)
    same = (y[:, None] == y[None, :]).float()
    prob = 0.02 + 0.06 * same
    adj = (torch.rand(n, n, generator=g) < prob).float()
    adj = ((adj + adj.T) > 0).float()
    adj.fill_diagonal_(1.0)
    d = adj.sum(1).rsqrt()
    adj = d[:, None] * adj * d[None, :]
    centers = torch.randn(n_class, n_feat, generator=g)
    x = centers[y] + 1.5 * torch.randn(n, n_feat, generator=g)
    mask = torch.rand(n, generator=g) < 0.3
    return x, adj, y, mask
