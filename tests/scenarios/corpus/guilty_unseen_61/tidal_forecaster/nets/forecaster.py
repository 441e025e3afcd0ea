"""Encoder plus a linear read-out."""
from torch import nn

from .streaming import StreamingLSTM


class TideForecaster(nn.Module):
    def __init__(self, n_inputs: int, hidden: int):
        super().__init__()
        self.encoder = StreamingLSTM(n_inputs, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.norm(self.encoder(x))).squeeze(-1)
