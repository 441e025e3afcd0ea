# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from cache import PhaseCache, phase
from model import GraphTower, LinkScorer


@dataclass
class LinkConfig:
    nodes: int = 80
    dim: int = 12
    phases: int = 405
    shards: int = 6
    shard: int = 32
    lr: float = 5e-3


class LinkTrainer:
    def __init__(self, cfg, adjacency):
        self.cfg = cfg
        self.adjacency = adjacency
        self.tower = GraphTower(cfg.nodes, cfg.dim)
        self.scorer = LinkScorer(cfg.dim)
        self.opt = torch.optim.Adam([*self.tower.parameters(), *self.scorer.parameters()], lr=cfg.lr)
        self.cache = PhaseCache()
        self.losses = []

    def table(self):
        return self.cache.get("table", lambda: self.tower(self.adjacency))

    def shard_step(self, src, dst, label, last):
        logits = self.scorer(self.table(), src, dst)
        loss = F.binary_cross_entropy_with_logits(logits, label) / self.cfg.shards
        loss.backward(retain_graph=not last)
        return loss.item()

    def run_phase(self, shards):
        self.opt.zero_grad()
        with phase(self.cache):
            total = 0.0
            for k, shard in enumerate(shards):
                total += self.shard_step(*shard, last=k == len(shards) - 1)
        self.opt.step()
        self.losses.append(total)


class CommunityLinks:
    def __init__(self, cfg, seed=27):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.group = torch.randint(4, (cfg.nodes,), generator=self.gen)
        same = self.group[:, None] == self.group[None, :]
        dense = (torch.rand(cfg.nodes, cfg.nodes, generator=self.gen) < torch.where(same, 0.3, 0.02)).float()
        dense = dense + dense.T + torch.eye(cfg.nodes)
        self.adjacency = dense / dense.sum(1, keepdim=True)

    def shards(self):
        out = []
        for _ in range(self.cfg.shards):
            src, dst = torch.randint(self.cfg.nodes, (2, self.cfg.shard), generator=self.gen)
            out.append((src, dst, (self.group[src] == self.group[dst]).float()))
        return out


if __name__ == "__main__":
    torch.manual_seed(17)
    cfg = LinkConfig()
    data = CommunityLinks(cfg)
    trainer = LinkTrainer(cfg, data.adjacency)
    for n in range(cfg.phases):
        trainer.run_phase(data.shards())
        if n % 100 == 0:
            print(n, round(trainer.losses[-1], 4), trainer.cache.hits, trainer.cache.misses)
