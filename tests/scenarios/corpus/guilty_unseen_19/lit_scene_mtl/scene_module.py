import torch
import torch.nn as nn
import torch.nn.functional as F

from lite import LiteModule


class SceneStream:
    def __init__(self, dim, batch, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.dim, self.batch = dim, batch
        self.mix = torch.randn(dim, 8, generator=self.gen) / dim ** 0.5

    def __iter__(self):
        while True:
            x = torch.randn(self.batch, self.dim, generator=self.gen)
            f = x @ self.mix
            yield x, f[:, 0].abs(), F.normalize(f[:, 1:4], dim=1), f[:, 4:].argmax(1)


class SceneModule(LiteModule):
    def __init__(self, dim, balancer):
        super().__init__()
        self.balancer = balancer
        self.trunk = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.depth = nn.Linear(64, 1)
        self.normal = nn.Linear(64, 3)
        self.segment = nn.Linear(64, 4)

    def training_step(self, batch, step):
        x, depth, normal, label = batch
        z = self.trunk(x)
        losses = torch.stack([
            F.l1_loss(self.depth(z).squeeze(1), depth),
            1.0 - F.cosine_similarity(self.normal(z), normal).mean(),
            F.cross_entropy(self.segment(z), label),
        ])
        total = self.balancer(losses)
        d, n, s = losses.tolist()
        self.log(total=total.item(), depth=d, normal=n, seg=s)
        return total

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)
