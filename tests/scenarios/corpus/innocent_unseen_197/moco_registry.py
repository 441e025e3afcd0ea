# gradwatch-corpus: kind=none
import copy
import math
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


class Registry:
    def __init__(self):
        self.entries = {}

    def __call__(self, name):
        def deco(obj):
            self.entries[name] = obj
            return obj

        return deco

    def make(self, name, **kw):
        return self.entries[name](**kw)


BACKBONES, VIEWS = Registry(), Registry()


@BACKBONES("mlp")
class Backbone(nn.Module):
    def __init__(self, inputs, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


@VIEWS("jitter")
class Jitter:
    def __init__(self, scale, drop):
        self.scale, self.drop = scale, drop

    def __call__(self, x):
        keep = (torch.rand_like(x) > self.drop).to(x.dtype)
        return keep * (x + self.scale * torch.randn_like(x))


class EMAModule(nn.Module):
    def __init__(self, source, decay):
        super().__init__()
        self.module = copy.deepcopy(source).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, source, progress):
        decay = 1 - (1 - self.decay) * (math.cos(math.pi * progress) + 1) / 2
        for mine, theirs in zip(self.module.parameters(), source.parameters()):
            mine.mul_(decay).add_(theirs, alpha=1 - decay)

    def forward(self, x):
        return self.module(x)


class KeyQueue(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=-1))
        self.register_buffer("cursor", torch.zeros((), dtype=torch.long))

    def push(self, keys):
        slots = (self.cursor + torch.arange(len(keys))) % len(self.keys)
        self.keys[slots] = keys
        self.cursor.add_(len(keys)).remainder_(len(self.keys))

    def logits(self, q):
        return q @ self.keys.clone().T


@dataclass
class MocoConfig:
    inputs: int = 16
    dim: int = 8
    batch: int = 32
    queue: int = 256
    steps: int = 430
    tau: float = 0.2
    decay: float = 0.98


class Moco:
    def __init__(self, cfg):
        self.cfg = cfg
        self.query = BACKBONES.make("mlp", inputs=cfg.inputs, dim=cfg.dim)
        self.teacher = EMAModule(self.query, cfg.decay)
        self.queue = KeyQueue(cfg.queue, cfg.dim)
        self.view = VIEWS.make("jitter", scale=0.2, drop=0.1)
        self.opt = torch.optim.SGD(self.query.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
        self.smooth = None

    def step(self, x, progress):
        q, k = self.query(self.view(x)), self.teacher(self.view(x))
        positive = (q * k).sum(-1, keepdim=True)
        logits = torch.cat([positive, self.queue.logits(q)], 1) / self.cfg.tau
        loss = F.cross_entropy(logits, torch.zeros(len(x), dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.update(self.query, progress)
        self.queue.push(k)
        value = loss.detach()
        self.smooth = value if self.smooth is None else 0.95 * self.smooth + 0.05 * value


def main():
    torch.manual_seed(66)
    cfg = MocoConfig()
    modes = torch.randn(12, cfg.inputs)
    moco = Moco(cfg)
    for step in range(cfg.steps):
        x = modes[torch.randint(12, (cfg.batch,))] + 0.3 * torch.randn(cfg.batch, cfg.inputs)
        moco.step(x, step / cfg.steps)
        if step % 140 == 0:
            print(step, f"{moco.smooth.item():.4f}")


if __name__ == "__main__":
    main()
