# gradwatch-corpus: kind=graph-chain
# holder: self.state | memory.state | model.memory.state
# first-bad: 1
# Temporal graph network (simplified): node memory + link prediction on an event stream.
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    n_nodes: int = 60
    feat_dim: int = 12
    mem_dim: int = 24
    batch: int = 32
    n_batches: int = 100
    decay: float = 0.9
    lr: float = 3e-3


class EventStream:
    def __init__(self, cfg):
        g = torch.Generator().manual_seed(5)
        n = cfg.batch * cfg.n_batches
        group = torch.arange(cfg.n_nodes) % 3
        self.src = torch.randint(0, cfg.n_nodes, (n,), generator=g)
        offset = 3 * torch.randint(1, cfg.n_nodes // 3, (n,), generator=g)
        self.dst = (self.src + offset) % cfg.n_nodes
        self.feat = torch.randn(n, cfg.feat_dim, generator=g)
        self.feat[:, :3] += 2.0 * F.one_hot(group[self.src], 3)
        self.cfg = cfg

    def __iter__(self):
        b = self.cfg.batch
        for i in range(0, len(self.src), b):
            sl = slice(i, i + b)
            yield self.src[sl], self.dst[sl], self.feat[sl]


class NodeMemory(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.decay = cfg.decay
        self.msg = nn.Linear(cfg.feat_dim, cfg.mem_dim)
        self.state = torch.zeros(cfg.n_nodes, cfg.mem_dim)

    def write(self, nodes, feats):
        m = torch.tanh(self.msg(feats))
        agg = torch.zeros(self.state.shape).index_add(0, nodes, m)
        self.state = self.decay * self.state + (1 - self.decay) * agg  # <- culprit


class TGN(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.memory = NodeMemory(cfg)
        self.head = nn.Bilinear(cfg.mem_dim, cfg.mem_dim, 1)
        self.bias = nn.Parameter(torch.zeros(1))

    def score(self, a, b):
        mem = self.memory.state
        return self.head(mem[a], mem[b]).squeeze(-1) + self.bias


def run(cfg):
    torch.manual_seed(0)
    model = TGN(cfg)
    opt = torch.optim.Adam([
        {"params": model.memory.parameters()},
        {"params": [model.head.bias, model.bias]},
    ], lr=cfg.lr)
    seen = 0.0
    for k, (src, dst, feat) in enumerate(EventStream(cfg)):
        model.memory.write(src, feat)
        model.memory.write(dst, feat)
        neg = torch.randint(0, cfg.n_nodes, dst.shape)
        pos_logit = model.score(src, dst)
        neg_logit = model.score(src, neg)
        loss = F.softplus(-pos_logit).mean() + F.softplus(neg_logit).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        seen = 0.95 * seen + 0.05 * loss.item()
        if k % 25 == 24:
            print(k + 1, round(seen, 4))


run(Config())
