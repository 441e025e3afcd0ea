import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, n_in, n):
        super().__init__()
        self.zr = nn.Linear(n_in + n, 2 * n)
        self.c = nn.Linear(n_in + n, n)

    def forward(self, x, h):
        z, r = torch.sigmoid(self.zr(torch.cat([x, h], 1))).chunk(2, 1)
        return z * h + (1 - z) * torch.tanh(self.c(torch.cat([x, r * h], 1)))


class GRUText(nn.Module):
    def __init__(self, n_chars, n):
        super().__init__()
        self.emb = nn.Embedding(n_chars, n)
        self.low, self.high = Cell(n, n), Cell(n, n)
        self.out = nn.Linear(n, n_chars)
        self.n = n

    def blank(self, rows):
        return torch.zeros(rows, self.n), torch.zeros(rows, self.n)

    def forward(self, x, state):
        a, b = state
        outs = []
        for e in self.emb(x).unbind(1):
            a = self.low(e, a)
            b = self.high(a, b)
            outs.append(b)
        return self.out(torch.stack(outs, 1)), (a, b)
