# gradwatch-corpus: kind=graph-chain
# holder: centroid.value | self.value
# first-bad: 161
# notice: 5
# BPR matrix factorisation.  After a warm-up the user vectors are pulled softly to a slow "average
# taste" vector, which helps the cold users.
from dataclasses import dataclass, field
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    users: int = 120
    items: int = 200
    dim: int = 16
    batch: int = 32
    iters: int = 460
    warmup: int = 160
    lr: float = 5e-3
    pull: float = 0.05
    seed: int = 17


@dataclass
class Centroid:
    decay: float = 0.98
    value: Optional[torch.Tensor] = field(default=None)

    @property
    def ready(self):
        return self.value is not None

    def update(self, vecs):
        mean = vecs.mean(dim=0)  # <- culprit
        if self.value is None:
            self.value = mean  # <- culprit
        else:
            self.value = torch.lerp(mean, self.value, self.decay)  # <- culprit


class MF(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.user = nn.Embedding(cfg.users, cfg.dim)
        self.item = nn.Embedding(cfg.items, cfg.dim)
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.1)

    def forward(self, u, pos, neg):
        uv = self.user(u)
        return uv, (uv * self.item(pos)).sum(-1), (uv * self.item(neg)).sum(-1)


def make_interactions(cfg):
    p = torch.randn(cfg.users, 4)
    q = torch.randn(cfg.items, 4)
    liked = (p @ q.t()).topk(20, dim=1).indices
    return liked


def sample(liked, cfg):
    u = torch.randint(cfg.users, (cfg.batch,))
    pos = liked[u, torch.randint(liked.shape[1], (cfg.batch,))]
    neg = torch.randint(cfg.items, (cfg.batch,))
    return u, pos, neg


def hit_rate(model, liked, k=20):
    with torch.no_grad():
        top = (model.user.weight @ model.item.weight.t()).topk(k, dim=1).indices
    hits = (top.unsqueeze(2) == liked.unsqueeze(1)).any(-1).float()
    return hits.mean().item()


def train(cfg):
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    liked = make_interactions(cfg)
    model = MF(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    centroid = Centroid()

    for it in range(cfg.iters):
        u, pos, neg = sample(liked, cfg)
        uv, s_pos, s_neg = model(u, pos, neg)
        rank = -F.logsigmoid(s_pos - s_neg).mean()

        opt.zero_grad()
        rank.backward(retain_graph=True)
        if centroid.ready:
            pull = cfg.pull * (uv - centroid.value).pow(2).sum(-1).mean()
            pull.backward(retain_graph=True)
        opt.step()

        if it >= cfg.warmup:
            centroid.update(uv)  # <- culprit

        if it % 60 == 0:
            print(f"it {it:3d} rank {rank.item():.4f} hit@20 {hit_rate(model, liked):.3f}")


if __name__ == "__main__":
    train(Config())
