import torch
from torch import nn

from .base import Predictor


class MessageRound(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.msg = nn.Linear(2 * h, h)
        self.gru = nn.GRUCell(h, h)

    def forward(self, x, edges):
        src, dst = edges
        m = torch.relu(self.msg(torch.cat([x[src], x[dst]], -1)))
        agg = torch.zeros_like(x).index_add(0, dst, m)
        return self.gru(agg, x)


class SolubilityNet(Predictor):
    def __init__(self, atom_types, hidden, rounds):
        super().__init__()
        self.embed = nn.Embedding(atom_types, hidden)
        self.round = MessageRound(hidden)
        self.rounds = rounds
        self.readout = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, atoms, edges, owner, n_graphs):
        x = self.embed(atoms)
        for _ in range(self.rounds):
            x = self.round(x, edges)
        pooled = x.new_zeros(n_graphs, x.shape[1]).index_add(0, owner, x)
        return self.readout(pooled).squeeze(-1)
