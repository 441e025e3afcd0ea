import torch


def sbm(n=60, k=3, p_in=0.3, p_out=0.03, dim=12, seed=0):
    """Stochastic block model with noisy node features."""
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % k
    same = y[:, None] == y[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    up = torch.triu(torch.rand(n, n, generator=g) < prob, 1)
    adj = (up | up.T).float()
    x = torch.randn(n, dim, generator=g)
    x[:, :k] += torch.nn.functional.one_hot(y, k).float()
    train = torch.rand(n, generator=g) < 0.4
    return x, adj, y, train
