"""Synthetic graphs."""
import torch


def block_model(n, blocks, p_in, p_out, gen):
    labels = torch.randint(blocks, (n,), generator=gen)
    same = labels[:, None] == labels[None, :]
    p = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    a = torch.rand(n, n, generator=gen) < p
    edges = torch.triu(a, diagonal=1).nonzero().T.contiguous()
    return edges, labels


def split_edges(edges, fraction, gen):
    perm = torch.randperm(edges.size(1), generator=gen)
    k = int(fraction * edges.size(1))
    return edges[:, perm[k:]], edges[:, perm[:k]]


def normalised_adjacency(edges, n):
    a = torch.eye(n)
    a[edges[0], edges[1]] = 1.0
    a[edges[1], edges[0]] = 1.0
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]
