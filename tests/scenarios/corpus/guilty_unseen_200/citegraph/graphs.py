import torch


def planted_partition(nodes, classes, seed, p_in=0.25, p_out=0.03):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(nodes) % classes
    same = y[:, None] == y[None]
    prob = torch.where(same, p_in, p_out)
    a = torch.rand(nodes, nodes, generator=g) < prob
    a = a.triu(1)
    edges = a.nonzero().t()
    x = F_onehot(y, classes) + torch.randn(nodes, classes, generator=g)
    return x, y, edges


def F_onehot(y, classes):
    return torch.eye(classes)[y]
