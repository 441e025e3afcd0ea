import torch
import torch.nn as nn
import torch.nn.functional as F

from .history import History


class HistoricalGCN(nn.Module):
    def __init__(self, num_nodes, n_in, hidden, n_out):
        super().__init__()
        self.lin1 = nn.Linear(n_in, hidden)
        self.lin2 = nn.Linear(2 * hidden, n_out)
        self.history = History(num_nodes, hidden)

    def forward(self, x, adj, batch):
        """batch: node ids; everything outside comes from the history."""
        agg = adj[batch] @ x
        h = F.relu(self.lin1(agg))
        outside = torch.ones(len(x), dtype=torch.bool)
        outside[batch] = False
        rest = outside.nonzero().squeeze(1)
        neigh = adj[batch][:, batch] @ h + adj[batch][:, rest] @ self.history.pull(rest)
        if self.training:
            self.history.push(batch, h)  # <- culprit
        return self.lin2(torch.cat([h, neigh], 1))

    @torch.no_grad()
    def full(self, x, adj):
        h = F.relu(self.lin1(adj @ x))
        return self.lin2(torch.cat([h, adj @ h], 1))
