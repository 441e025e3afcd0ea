import torch
from torch import nn


class QuantileGRU(nn.Module):
    def __init__(self, hidden, horizon, quantiles):
        super().__init__()
        self.horizon = horizon
        self.n_q = len(quantiles)
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.proj = nn.Linear(hidden, horizon * self.n_q)

    def forward(self, past):
        _, h = self.gru(past.unsqueeze(-1))
        return self.proj(h[-1]).view(-1, self.horizon, self.n_q)


def pinball(pred, target, quantiles):
    q = torch.tensor(quantiles)
    err = target.unsqueeze(-1) - pred
    return torch.maximum(q * err, (q - 1) * err).mean()
