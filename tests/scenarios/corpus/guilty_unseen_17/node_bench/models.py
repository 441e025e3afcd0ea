import torch
from torch import nn
import torch.nn.functional as F

from history import History


class ScalableGNN(nn.Module):
    """Layers see the whole graph's last known embeddings, and only a batch's rows are computed anew."""

    def __init__(self, num_nodes, hidden, num_layers):
        super().__init__()
        self.histories = nn.ModuleList([History(num_nodes, hidden) for _ in range(num_layers - 1)])

    def push_and_pull(self, history, x, n_id):
        history.push(n_id, x)  # <- culprit
        return history.pull()

    def reset_histories(self):
        for h in self.histories:
            h.reset_parameters()


class SAGE(ScalableGNN):
    def __init__(self, num_nodes, in_channels, hidden, out_channels, num_layers=2, dropout=0.2):
        super().__init__(num_nodes, hidden, num_layers)
        dims = [in_channels] + [hidden] * (num_layers - 1) + [out_channels]
        self.lin_self = nn.ModuleList([nn.Linear(a, b) for a, b in zip(dims, dims[1:])])
        self.lin_neigh = nn.ModuleList([nn.Linear(a, b, bias=False) for a, b in zip(dims, dims[1:])])
        self.dropout = dropout

    def conv(self, k, x_all, adj_rows, n_id):
        return self.lin_self[k](x_all[n_id]) + self.lin_neigh[k](adj_rows @ x_all)

    def forward(self, x, adj, n_id):
        adj_rows = adj[n_id]
        for k, history in enumerate(self.histories):
            h = F.relu(self.conv(k, x, adj_rows, n_id))
            h = F.dropout(h, self.dropout, self.training)
            x = self.push_and_pull(history, h, n_id)
        return self.conv(len(self.histories), x, adj_rows, n_id)

    @torch.no_grad()
    def full(self, x, adj):
        everyone = torch.arange(x.shape[0])
        for k in range(len(self.lin_self)):
            x = self.conv(k, x, adj, everyone)
            if k < len(self.histories):
                x = F.relu(x)
        return x
