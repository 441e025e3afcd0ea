import torch
from torch import nn


class LaggedCell(nn.Module):
    def __init__(self, n_in, n_hid, rate):
        super().__init__()
        self.inp = nn.Linear(n_in, n_hid)
        self.rec = nn.Linear(n_hid, n_hid, bias=False)
        nn.init.orthogonal_(self.rec.weight, gain=0.7)
        self.rate, self.n_hid = rate, n_hid

    def initial(self, batch):
        return torch.zeros(batch, self.n_hid)

    def forward(self, x, h):
        return torch.lerp(h, torch.tanh(self.inp(x) + self.rec(h)), self.rate)


class PowerModel(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell
        self.head = nn.Linear(cell.n_hid, 1)

    def forward(self, x, h=None):
        h = self.cell.initial(len(x)) if h is None else h
        h = self.cell(x, h)
        return self.head(h).squeeze(-1), h
