# gradwatch-corpus: kind=graph-chain
# holder: self.feats | xbm.feats | criterion.xbm.feats
# first-bad: 1
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    n_classes: int = 12
    raw_dim: int = 48
    feat_dim: int = 128
    emb_dim: int = 32
    batch: int = 32
    memory: int = 256
    iters: int = 100
    lr: float = 0.05
    margin: float = 0.4
    weights: dict = field(default_factory=lambda: {"batch": 1.0, "memory": 0.5})


class RandomFeatureBackbone(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.l1 = nn.Linear(cfg.raw_dim, cfg.feat_dim)
        self.l2 = nn.Linear(cfg.feat_dim, cfg.feat_dim)
        self.requires_grad_(False)

    def forward(self, x):
        return F.relu(self.l2(F.relu(self.l1(x))))


class RingMemory:
    def __init__(self, size, dim):
        self.size = size
        self.feats = torch.zeros(0, dim)
        self.targets = torch.zeros(0, dtype=torch.long)

    @property
    def filled(self):
        return self.feats.shape[0]

    def push(self, feats, targets):
        self.feats = torch.cat([self.feats, feats])[-self.size:]  # <- culprit
        self.targets = torch.cat([self.targets, targets])[-self.size:]

    def get(self):
        return self.feats, self.targets


class XBMContrastive(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.xbm = RingMemory(cfg.memory, cfg.emb_dim)

    def pair_loss(self, a, ta, b, tb):
        sim = a @ b.t()
        same = ta[:, None] == tb[None, :]
        pos = (1 - sim)[same]
        neg = F.relu(sim - self.cfg.margin)[~same]
        return pos.mean() + neg.mean()

    def forward(self, z, y):
        w = self.cfg.weights
        loss = w["batch"] * self.pair_loss(z, y, z, y)
        if self.xbm.filled:
            mem_z, mem_y = self.xbm.get()
            loss = loss + w["memory"] * self.pair_loss(z, y, mem_z, mem_y)
        self.xbm.push(z, y)  # <- culprit
        return loss


def class_batches(cfg):
    centers = torch.randn(cfg.n_classes, cfg.raw_dim)
    while True:
        y = torch.randint(0, cfg.n_classes, (cfg.batch,))
        yield centers[y] + 0.6 * torch.randn(cfg.batch, cfg.raw_dim), y


@torch.no_grad()
def recall_at_1(z, y):
    sim = z @ z.t()
    sim.fill_diagonal_(-2)
    return (y[sim.argmax(1)] == y).float().mean().item()


def train(cfg):
    torch.manual_seed(11)
    backbone = RandomFeatureBackbone(cfg).eval()
    head = nn.Linear(cfg.feat_dim, cfg.emb_dim)
    criterion = XBMContrastive(cfg)
    opt = torch.optim.SGD(head.parameters(), lr=cfg.lr, momentum=0.9)
    data = class_batches(cfg)
    for it in range(cfg.iters):
        x, y = next(data)
        with torch.no_grad():
            f = backbone(x)
        z = F.normalize(head(f), dim=1)
        loss = criterion(z, y)
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        opt.step()
        if it % 25 == 0:
            print(f"{it:03d} loss={loss.item():.4f} R@1={recall_at_1(z.detach(), y):.3f} mem={criterion.xbm.filled}")


if __name__ == "__main__":
    train(Config())
