"""Embedding table + propagation + dot-product scores."""
import torch
import torch.nn.functional as F
from torch import nn

from .propagation import Propagation


class BasketRecommender(nn.Module):
    def __init__(self, graph, dim, n_hops, policy):
        super().__init__()
        self.n_users = graph.n_users
        self.embedding = nn.Parameter(0.1 * torch.randn(graph.n_users + graph.n_items, dim))
        self.propagation = Propagation(graph.adjacency, n_hops, policy)

    def bpr(self, user, pos, neg, l2=1e-4):
        z = self.propagation(self.embedding)
        u, p, n = z[user], z[pos + self.n_users], z[neg + self.n_users]
        margin = (u * p).sum(-1) - (u * n).sum(-1)
        return F.softplus(-margin).mean() + l2 * self.embedding[user].pow(2).sum(-1).mean()
