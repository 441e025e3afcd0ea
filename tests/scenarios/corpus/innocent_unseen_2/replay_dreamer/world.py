import torch
from torch import nn


class World(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.cell, self.prior, self.dec = nn.GRUCell(d, h), nn.Linear(h, h), nn.Linear(h, d)

    def filter(self, seq):
        h, outs = seq.new_zeros(seq.size(0), self.cell.hidden_size), []
        for t in range(seq.size(1)):
            h = self.cell(seq[:, t], h)
            outs.append(self.dec(h))
        return torch.stack(outs, 1), h

    def imagine(self, h, horizon):
        path = []
        for _ in range(horizon):
            h = torch.tanh(self.prior(h))
            path.append(self.dec(h))
        return torch.stack(path, 1)
