from torch import nn

from .functional import fake_quant


class QuantMixin:
    def setup_quant(self, name, bits, limit, ledger):
        self.q_name, self.q_bits, self.q_limit, self.ledger = name, bits, limit, ledger

    def quantise(self, x):
        return fake_quant(x, self.q_limit, self.q_bits, self.q_name, self.ledger)


class QConv(QuantMixin, nn.Module):
    def __init__(self, cin, cout, name, bits, ledger):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 3, padding=1)
        self.norm = nn.BatchNorm1d(cout)
        self.setup_quant(name, bits, 2.0, ledger)

    def forward(self, x):
        return self.quantise(self.norm(self.conv(x)).relu())


class Spotter(nn.Module):
    def __init__(self, n_mels, frames, classes, bits, ledger):
        super().__init__()
        self.features = nn.Sequential(
            QConv(n_mels, 12, "conv1", bits, ledger),
            QConv(12, 12, "conv2", bits, ledger),
        )
        self.pool = nn.AdaptiveAvgPool1d(3)
        self.head = nn.Linear(36, classes)

    def forward(self, x):
        return self.head(self.pool(self.features(x)).flatten(1))
