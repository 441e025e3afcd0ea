import torch
from torch import nn
import torch.nn.functional as F


class ProbeHeads(nn.Module):
    def __init__(self, dim, ages=8, points=10):
        super().__init__()
        self.age = nn.Linear(dim, ages)
        self.gender = nn.Linear(dim, 1)
        self.landmarks = nn.Linear(dim, points)

    def losses(self, feats, batch):
        return {
            "age": F.cross_entropy(self.age(feats), batch["age"]),
            "gender": F.binary_cross_entropy_with_logits(self.gender(feats).squeeze(1), batch["gender"]),
            "landmarks": F.mse_loss(self.landmarks(feats), batch["landmarks"]),
        }


class FrozenBackbone(nn.Module):
    def __init__(self, din=32, dim=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(din, 64), nn.ReLU(), nn.Linear(64, dim), nn.LayerNorm(dim))
        self.requires_grad_(False)

    def forward(self, x):
        return self.net(x)


def face_batches(n, din=32, batch=32, seed=17):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(din, 12, generator=g) / din ** 0.5
    for _ in range(n):
        x = torch.randn(batch, din, generator=g)
        code = x @ w
        yield x, {"age": (code[:, 0] * 2 + 4).clamp(0, 7).long(),
                  "gender": (code[:, 1] > 0).float(), "landmarks": code[:, 2:] * 3}
