from torch import nn


class MultiHead(nn.Module):
    def __init__(self, n_in, width, tasks):
        super().__init__()
        self.tasks = tuple(tasks)
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ELU(), nn.Linear(width, width), nn.ELU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in tasks})

    def forward(self, x):
        shared = self.trunk(x)
        return {t: h(shared).squeeze(-1) for t, h in self.heads.items()}
