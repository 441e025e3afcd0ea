import torch
from torch import nn


class MPNN(nn.Module):
    def __init__(self, n_types, hidden, rounds):
        super().__init__()
        self.embed = nn.Embedding(n_types, hidden)
        self.messages = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(rounds))
        self.update = nn.GRUCell(hidden, hidden)
        self.readout = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, atoms, adj):
        h = self.embed(atoms)
        b, n, d = h.shape
        for lin in self.messages:
            m = adj @ torch.relu(lin(h))
            h = self.update(m.reshape(-1, d), h.reshape(-1, d)).view(b, n, d)
        return self.readout(h).sum(1).squeeze(-1)
