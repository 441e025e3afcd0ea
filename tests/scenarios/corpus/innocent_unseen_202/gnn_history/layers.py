import torch
import torch.nn as nn


class HistoryStore:
    """Last known embedding of every node (GNNAutoScale)."""

    def __init__(self, num_nodes, dim):
        self.table = torch.zeros(num_nodes, dim)
        self.age = torch.zeros(num_nodes, dtype=torch.long)

    def push(self, nodes, h):
        table = self.table.clone()
        table[nodes] = h.detach()
        self.table = table
        self.age += 1
        self.age[nodes] = 0

    def pull(self, nodes, h):
        full = self.table.index_put((nodes,), h)
        return full


class SAGE(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.me, self.nb = nn.Linear(d_in, d_out), nn.Linear(d_in, d_out, bias=False)

    def forward(self, adj_rows, full, own):
        return self.me(own) + self.nb(adj_rows @ full)
