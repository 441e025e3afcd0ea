from torch import nn
import torch.nn.functional as F


class Panel(nn.Module):
    def __init__(self, genes, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(genes, 24), nn.LayerNorm(24), nn.ELU(), nn.Linear(24, 16))
        self.heads = nn.ModuleDict({k: nn.Linear(16, n) for k, n in tasks.items()})

    def loss(self, name, shared, y):
        return F.cross_entropy(self.heads[name](shared), y)
