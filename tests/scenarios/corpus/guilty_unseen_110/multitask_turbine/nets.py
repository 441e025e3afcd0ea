from torch import nn


class TurbineNet(nn.Module):
    def __init__(self, d, tasks, width=32):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(d, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU()
        )
        self.heads = nn.ModuleDict({k: nn.Linear(width, n) for k, n in tasks.items()})

    def forward(self, x):
        h = self.trunk(x)
        return {k: head(h) for k, head in self.heads.items()}
