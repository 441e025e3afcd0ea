import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, size=12):
        super().__init__()
        self.cell = nn.GRUCell(1, size)
        self.head = nn.Linear(size, 1)

    def forward(self, xs, hidden):
        outs = []
        for x in xs:
            hidden = self.cell(x.unsqueeze(0), hidden)
            outs.append(self.head(hidden))
        return torch.cat(outs), hidden


class PlainDescent:
    def __init__(self, params, lr):
        self.params = list(params)
        self.lr = lr

    def zero(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p in self.params:
            g = p.grad.clamp(-0.5, 0.5)
            p.data.sub_(self.lr * g)
