import torch
from torch import nn
import torch.nn.functional as F


class HiveNet(nn.Module):
    def __init__(self, bins=12, width=14):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(bins, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.queen, self.weight, self.mites = nn.Linear(width, 2), nn.Linear(width, 1), nn.Linear(width, 1)

    def losses(self, sound, targets):
        z = self.shared(sound)
        return {
            "queen": F.cross_entropy(self.queen(z), targets["queen"]),
            "weight": F.mse_loss(self.weight(z)[:, 0], targets["weight"]),
            "mites": F.poisson_nll_loss(self.mites(z)[:, 0], targets["mites"]),
        }


def recordings(n, batch=16, bins=12):
    mix = torch.randn(bins, 3) / bins ** 0.5
    for _ in range(n):
        sound = torch.randn(batch, bins)
        u, v, w = (sound @ mix).unbind(1)
        yield sound, {"queen": (u > 0).long(), "weight": v, "mites": torch.poisson(w.clamp(-2, 1).exp())}
