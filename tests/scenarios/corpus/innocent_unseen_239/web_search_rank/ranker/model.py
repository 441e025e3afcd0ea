from torch import nn


class Scorer(nn.Module):
    def __init__(self, fin, hidden, depth):
        super().__init__()
        self.inp = nn.Linear(fin, hidden)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(hidden), nn.Linear(hidden, hidden), nn.GELU()) for _ in range(depth)
        )
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = h + block(h)
        return self.out(h).squeeze(-1)
