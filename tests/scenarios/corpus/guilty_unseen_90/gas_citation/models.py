import torch
from torch import nn

from history import History


class ScalableGCN(nn.Module):
    def __init__(self, num_nodes, in_dim, hidden, out_dim, dropout=0.2):
        super().__init__()
        self.lin_in = nn.Linear(in_dim, hidden)
        self.conv = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, out_dim)
        self.drop = nn.Dropout(dropout)
        self.history = History(num_nodes, hidden)

    def forward(self, batch):
        x = torch.relu(self.lin_in(batch.x))
        x = self.history.push_and_pull(x, batch.n_id, batch.halo)
        h = torch.relu(self.conv(batch.adj @ x))
        return self.out(self.drop(h))
