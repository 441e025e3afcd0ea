import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Residual(nn.Module):
    def __init__(self, w, p=.05):
        super().__init__()
        self.f = nn.Sequential(nn.LayerNorm(w), nn.Linear(w, 2 * w), nn.SiLU(), nn.Dropout(p), nn.Linear(2 * w, w))

    def forward(self, x):
        return x + self.f(x)


class Tower(nn.Module):
    def __init__(self, plan):
        super().__init__()
        self.stem = nn.Linear(plan.inputs, plan.width)
        self.parts = nn.ModuleList(Residual(plan.width) for _ in range(plan.blocks))
        self.tail = nn.Sequential(*(Residual(plan.width) for _ in range(4)))
        self.head = nn.Linear(plan.width, 1)
        self.recipe = plan.recipe

    def forward(self, x):
        z = self.stem(x)
        for i, part in enumerate(self.parts):
            mode = self.recipe[i % len(self.recipe)] if self.training else "plain"
            if mode == "plain":
                z = part(z)
            else:
                z = checkpoint(part, z, use_reentrant=(mode == "old"))
        z = checkpoint_sequential(self.tail, 2, z, use_reentrant=False) if self.training else self.tail(z)
        return self.head(z).squeeze(-1)
