import torch.nn as nn
import torch.nn.functional as F

OUT = {"depth": 1, "material": 2, "pose": 2}


class SharedTrunk(nn.Module):
    def __init__(self, in_dim, width, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(in_dim, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.heads = nn.ModuleDict({t: nn.Linear(width, OUT[t]) for t in tasks})

    def forward(self, x, task):
        return self.heads[task](self.trunk(x))


def task_loss(task, out, y):
    return F.cross_entropy(out, y) if task == "material" else F.smooth_l1_loss(out, y)
