import torch


def community_graph(groups, size, gen, dim=10):
    n = groups * size
    label = torch.arange(n) // size
    same = label[:, None] == label[None, :]
    prob = torch.where(same, 0.3, 0.02)
    adj = (torch.rand(n, n, generator=gen) < prob).triu(1)
    src, dst = adj.nonzero(as_tuple=True)
    centre = torch.randn(groups, dim, generator=gen)
    x = centre[label] + 1.5 * torch.randn(n, dim, generator=gen)
    return x, torch.stack([torch.cat([src, dst]), torch.cat([dst, src])])


def negatives(n, count, gen):
    return torch.randint(n, (2, count), generator=gen)
