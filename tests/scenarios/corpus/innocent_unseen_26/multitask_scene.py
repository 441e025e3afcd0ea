# gradwatch-corpus: kind=none
"""Depth, normals and labels of toy scenes with gradient surgery (PCGrad) on the shared trunk."""
import random
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    size: int = 16
    batch: int = 8
    steps: int = 120
    lr: float = 2e-3
    window: int = 30


class Scene(nn.Module):
    def __init__(self, c=10):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, c, 3, padding=1), nn.GELU(), nn.Conv2d(c, c, 3, padding=1), nn.GELU())
        self.heads = nn.ModuleDict({"depth": nn.Conv2d(c, 1, 1), "normal": nn.Conv2d(c, 3, 1), "label": nn.Conv2d(c, 4, 1)})

    def forward(self, x):
        h = self.trunk(x)
        return {k: head(h) for k, head in self.heads.items()}


def scenes(cfg):
    g = torch.Generator().manual_seed(0)
    while True:
        x = torch.randn(cfg.batch, 3, cfg.size, cfg.size, generator=g)
        x = F.avg_pool2d(x, 3, 1, 1)
        d = x.mean(1, keepdim=True)
        n = F.normalize(torch.cat([d.roll(1, 2) - d, d.roll(1, 3) - d, torch.ones_like(d)], 1), dim=1)
        yield x, {"depth": d, "normal": n, "label": (2 * (x[:, 0] > 0) + (x[:, 1] > 0)).long()}


LOSSES = {"depth": F.l1_loss, "normal": lambda p, t: (1 - F.cosine_similarity(p, t)).mean(), "label": F.cross_entropy}


class PCGrad:
    """Projects conflicting task gradients; needs one walk over the shared graph per task."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    @property
    def params(self):
        return [p for g in self.optimizer.param_groups for p in g["params"]]

    def backward(self, losses):
        flat = []
        for k, loss in enumerate(losses):
            grads = torch.autograd.grad(loss, self.params, retain_graph=k + 1 < len(losses), allow_unused=True)
            flat.append(torch.cat([(torch.zeros_like(p) if g is None else g).flatten()
                                   for p, g in zip(self.params, grads)]))
        merged = torch.zeros_like(flat[0])
        for i, g in enumerate(flat):
            g = g.clone()
            for j in random.sample(range(len(flat)), len(flat)):
                dot = g @ flat[j]
                if j != i and dot < 0:
                    g -= dot / (flat[j] @ flat[j] + 1e-12) * flat[j]
            merged += g
        at = 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()

    def step(self):
        self.optimizer.step()
        self.optimizer.zero_grad()


def main(cfg=Config()):
    random.seed(1)
    torch.manual_seed(1)
    net = Scene()
    opt = PCGrad(torch.optim.Adam(net.parameters(), lr=cfg.lr))
    recent = {k: deque(maxlen=cfg.window) for k in LOSSES}
    curve = []
    for step, (x, target) in zip(range(cfg.steps), scenes(cfg)):
        out = net(x)
        losses = {k: fn(out[k], target[k]) for k, fn in LOSSES.items()}
        opt.backward(list(losses.values()))
        opt.step()
        for k, v in losses.items():
            recent[k].append(v.detach())
        curve.append(sum(v.item() for v in losses.values()))
        if step % 30 == 0:
            print(step, {k: round(torch.stack(list(d)).mean().item(), 4) for k, d in recent.items()})


if __name__ == "__main__":
    main()
