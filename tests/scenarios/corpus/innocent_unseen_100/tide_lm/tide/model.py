from torch import nn

from .stateful import StatefulMixin


class TideModel(StatefulMixin, nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = nn.Embedding(cfg.n_symbols, cfg.dim)
        self.cell = nn.LSTMCell(cfg.dim, cfg.dim)
        self.out = nn.Linear(cfg.dim, cfg.n_symbols)

    def forward(self, symbol):
        self.carry = self.cell(self.embed(symbol), self.carry)
        return self.out(self.carry[0])
