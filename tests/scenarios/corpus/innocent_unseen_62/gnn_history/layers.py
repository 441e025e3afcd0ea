"""Message passing by hand, with historical embeddings for out-of-batch nodes."""
import torch
from torch import nn


class History(nn.Module):
    """Last known embedding of every node at one depth."""

    def __init__(self, nodes, dim):
        super().__init__()
        self.register_buffer("emb", torch.zeros(nodes, dim))
        self.register_buffer("age", torch.zeros(nodes, dtype=torch.long))

    @torch.no_grad()
    def push(self, ids, values):
        self.age += 1
        self.emb[ids] = values
        self.age[ids] = 0

    def pull(self, ids):
        return self.emb[ids]


class MeanConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.own = nn.Linear(n_in, n_out)
        self.near = nn.Linear(n_in, n_out, bias=False)

    def forward(self, h, src, dst):
        total = torch.zeros_like(h).index_add_(0, dst, h[src])
        count = torch.zeros(len(h), 1).index_add_(0, dst, torch.ones(len(dst), 1))
        return self.own(h) + self.near(total / count.clamp(min=1.0))


class HistoryGNN(nn.Module):
    """Batch nodes are computed, their halo is read from the history."""

    def __init__(self, nodes, n_in, width, n_out, depth=3):
        super().__init__()
        self.enter = nn.Linear(n_in, width)
        self.convs = nn.ModuleList(MeanConv(width, width) for _ in range(depth))
        self.leave = nn.Linear(width, n_out)
        self.histories = nn.ModuleList(History(nodes, width) for _ in range(depth - 1))
        self.trail = []

    def forward(self, x, batch, halo, src, dst):
        self.trail.clear()
        n = len(batch)
        h = torch.relu(self.enter(x[torch.cat([batch, halo])]))
        for k, conv in enumerate(self.convs):
            h = torch.relu(conv(h, src, dst))
            self.trail.append(h[:n])
            if k < len(self.histories):
                self.histories[k].push(batch, h[:n])
                h = torch.cat([h[:n], self.histories[k].pull(halo)])
        return self.leave(h[:n])
