import torch.nn as nn


class SharedBottom(nn.Module):
    def __init__(self, d, hidden, tasks):
        super().__init__()
        self.bottom = nn.Sequential(nn.Linear(d, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.towers = nn.ModuleDict({k: nn.Sequential(nn.Linear(hidden, 16), nn.ReLU(), nn.Linear(16, o)) for k, o in tasks.items()})

    def forward(self, x):
        h = self.bottom(x)
        return {k: tower(h) for k, tower in self.towers.items()}
