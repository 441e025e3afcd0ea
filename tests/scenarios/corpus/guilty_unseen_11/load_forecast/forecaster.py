import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.cell = nn.GRUCell(n_in, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, hidden=None):
        if hidden is None:
            hidden = x.new_zeros(x.size(1), self.cell.hidden_size)
        preds = []
        for frame in x:
            hidden = self.cell(frame, hidden)
            preds.append(self.out(hidden).squeeze(-1))
        return torch.stack(preds), hidden
