# gradwatch-corpus: kind=second-backward
# holder: head | adapted | W
# first-bad: 40
# notice: 0
"""Episodic few-shot pollen recognition: shared embedding, least-squares head solved per episode."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


@dataclass
class EpisodeConfig:
    seed: int = 70
    ways: int = 4
    shots: int = 3
    pixels: int = 30
    dim: int = 10
    ridge: float = 0.5
    warm: int = 40
    episodes: int = 400
    small_queries: int = 16
    many_queries: int = 48
    chunk: int = 16


class Embedding(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(cfg.pixels, 24), nn.LayerNorm(24), nn.GELU(), nn.Linear(24, cfg.dim))
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, x):
        return self.f(x)


def ridge_head(z, y, ways, ridge):
    Y = F.one_hot(y, ways).float()
    gram = z @ z.t() + ridge * torch.eye(len(z))
    return z.t() @ torch.linalg.solve(gram, Y)


class EpisodeSource:
    def __init__(self, cfg):
        self.cfg = cfg
        self.basis = torch.randn(6, cfg.pixels)

    def draw(self, queries):
        c = self.cfg
        means = torch.randn(c.ways, 6) @ self.basis
        def grains(n):
            y = torch.arange(n) % c.ways
            return means[y] + 1.5 * torch.randn(n, c.pixels), y
        return grains(c.ways * c.shots), grains(queries)


class EpisodicTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = Embedding(cfg)
        self.source = EpisodeSource(cfg)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def queries_at(self, episode):
        return self.cfg.small_queries if episode < self.cfg.warm else self.cfg.many_queries

    def episode(self, number):
        (xs, ys), (xq, yq) = self.source.draw(self.queries_at(number))
        self.opt.zero_grad()
        head = ridge_head(self.net(xs), ys, self.cfg.ways, self.cfg.ridge)  # <- culprit
        hits = 0
        for x, y in zip(xq.split(self.cfg.chunk), yq.split(self.cfg.chunk)):
            hits += self._chunk(head, x, y, len(xq))
        self.opt.step()
        return hits / len(xq)

    def _chunk(self, head, x, y, total):
        logits = self.net.scale * (self.net(x) @ head)
        loss = F.cross_entropy(logits, y, reduction="sum") / total
        loss.backward()  # <- culprit
        return (logits.argmax(1) == y).sum().item()

    def train(self):
        for n in range(self.cfg.episodes):
            acc = self.episode(n)
            if n % 20 == 0:
                print(n, acc)


if __name__ == "__main__":
    cfg = EpisodeConfig()
    torch.manual_seed(cfg.seed)
    EpisodicTrainer(cfg).train()
