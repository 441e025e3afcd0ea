from torch import nn

from norms import TanhNorm


class Stem(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.mix = nn.Linear(d, h)
        self.norm = TanhNorm(h, pace=0.1)

    def forward(self, x):
        return self.norm(self.mix(x))


class Caller(nn.Module):
    def __init__(self, genes, kinds, hidden=16):
        super().__init__()
        self.stem = Stem(genes, hidden)
        self.out = nn.Linear(hidden, kinds)

    def forward(self, x):
        return self.out(self.stem(x))
