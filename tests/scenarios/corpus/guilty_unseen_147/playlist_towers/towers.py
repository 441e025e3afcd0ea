from functools import cached_property

import torch
from torch import nn


class TrackTower(nn.Module):
    def __init__(self, tracks, dim):
        super().__init__()
        self.table = nn.Parameter(0.1 * torch.randn(tracks, dim))
        adj = (torch.rand(tracks, tracks) < 0.1).float()
        adj = ((adj + adj.T) > 0).float()
        self.register_buffer("laplacian", torch.diag(adj.sum(1)) - adj)

    @cached_property  # <- culprit
    def smoothness(self):
        """Co-listening graph energy of the table."""
        return torch.einsum("id,ij,jd->", self.table, self.laplacian, self.table) / len(self.table)  # <- culprit

    def forward(self, ids):
        return self.table[ids]


class TwoTower(nn.Module):
    def __init__(self, users, tracks, dim):
        super().__init__()
        self.n_users, self.n_tracks = users, tracks
        self.users = nn.Embedding(users, dim)
        self.tracks = TrackTower(tracks, dim)

    def forward(self, u, t):
        return (self.users(u) * self.tracks(t)).sum(-1)

    def penalty(self):
        return 0.01 * self.tracks.smoothness + 1e-4 * self.users.weight.pow(2).sum()
