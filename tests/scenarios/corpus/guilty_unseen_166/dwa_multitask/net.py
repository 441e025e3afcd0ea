import torch
import torch.nn as nn
import torch.nn.functional as F


class SharedTrunk(nn.Module):
    def __init__(self, n_in=10, width=32, n_classes=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({
            "depth": nn.Linear(width, 1), "segment": nn.Linear(width, n_classes), "normal": nn.Linear(width, 3)})

    def forward(self, x):
        h = self.trunk(x)
        return {k: head(h) for k, head in self.heads.items()}


def task_losses(out, target):
    return {
        "depth": F.l1_loss(out["depth"].squeeze(1), target["depth"]),
        "segment": F.cross_entropy(out["segment"], target["segment"]),
        "normal": 1 - F.cosine_similarity(out["normal"], target["normal"]).mean(),
    }


def scene_batch(n, gen):
    x = torch.randn(n, 10, generator=gen)
    return x, {
        "depth": x[:, :3].pow(2).sum(1).sqrt(),
        "segment": x[:, 3:6].argmax(1),
        "normal": F.normalize(x[:, 6:9] + 0.1, dim=1),
    }
