import torch
from torch import nn
import torch.nn.functional as F


class TaskNet(nn.Module):
    def __init__(self, n_in=20, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ELU(), nn.Linear(width, width), nn.ELU())
        self.heads = nn.ModuleDict({
            "angle": nn.Linear(width, 2),
            "visible": nn.Linear(width, 5),
            "side": nn.Linear(width, 3),
        })

    def forward(self, x):
        z = self.trunk(x)
        return {name: head(z) for name, head in self.heads.items()}


class PoseTasks:
    def __init__(self, seed, n_in=20):
        self.rng = torch.Generator().manual_seed(seed)
        self.w = torch.randn(n_in, 10, generator=self.rng)

    def batch(self, n):
        x = torch.randn(n, 20, generator=self.rng)
        s = torch.tanh(x @ self.w / 3)
        theta = 3 * s[:, 0]
        return x, {
            "angle": torch.stack([theta.cos(), theta.sin()], 1),
            "visible": (s[:, 1:6] > 0).float(),
            "side": s[:, 6:9].argmax(1),
        }

    def losses(self, net, x, y):
        out = net(x)
        return {
            "angle": F.mse_loss(out["angle"], y["angle"]),
            "visible": F.binary_cross_entropy_with_logits(out["visible"], y["visible"]),
            "side": F.cross_entropy(out["side"], y["side"]),
        }
