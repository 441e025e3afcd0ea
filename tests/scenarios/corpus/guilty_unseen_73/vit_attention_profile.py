# gradwatch-corpus: kind=graph-held
# holder: self.profile | blk.attn.profile | block.attn.profile | model.blocks[0].attn.profile | model.blocks[1].attn.profile | model.blocks[2].attn.profile | self.blocks[0].attn.profile | self.blocks[1].attn.profile | self.blocks[2].attn.profile | attn.profile
# first-bad: 1
# notice: 8
"""Tiny ViT on synthetic textures, with a running profile of where the class token looks."""
import math
from dataclasses import dataclass, field

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class ViTConfig:
    image: int = 16
    patch: int = 4
    dim: int = 32
    heads: int = 4
    depth: int = 3
    classes: int = 4
    drop_path: float = 0.1
    profile_momentum: float = 0.95


@dataclass
class RunConfig:
    model: ViTConfig = field(default_factory=ViTConfig)
    iters: int = 120
    warmup: int = 15
    batch: int = 24
    lr: float = 3e-3
    report: int = 30


class Attention(nn.Module):
    def __init__(self, cfg: ViTConfig):
        super().__init__()
        self.h = cfg.heads
        self.scale = (cfg.dim // cfg.heads) ** -0.5
        self.qkv = nn.Linear(cfg.dim, 3 * cfg.dim)
        self.proj = nn.Linear(cfg.dim, cfg.dim)
        self.momentum = cfg.profile_momentum
        self.profile = None

    def _track(self, attn):
        looked_at = attn[:, :, 0].mean(dim=(0, 1))
        if self.profile is None:
            self.profile = looked_at  # <- culprit
        else:
            self.profile = self.momentum * self.profile + (1 - self.momentum) * looked_at  # <- culprit

    def forward(self, x):
        B, N, C = x.shape
        q, k, v = self.qkv(x).view(B, N, 3, self.h, C // self.h).permute(2, 0, 3, 1, 4)
        attn = (q @ k.transpose(-2, -1) * self.scale).softmax(-1)
        if self.training:
            self._track(attn)
        return self.proj((attn @ v).transpose(1, 2).reshape(B, N, C))


class DropPath(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        keep = torch.rand(x.size(0), 1, 1) >= self.p
        return x * keep / (1 - self.p)


class Block(nn.Module):
    def __init__(self, cfg: ViTConfig, p):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(cfg.dim), nn.LayerNorm(cfg.dim)
        self.attn = Attention(cfg)
        self.mlp = nn.Sequential(nn.Linear(cfg.dim, 2 * cfg.dim), nn.GELU(), nn.Linear(2 * cfg.dim, cfg.dim))
        self.dp = DropPath(p)

    def forward(self, x):
        x = x + self.dp(self.attn(self.n1(x)))
        return x + self.dp(self.mlp(self.n2(x)))


class ViT(nn.Module):
    def __init__(self, cfg: ViTConfig):
        super().__init__()
        n = (cfg.image // cfg.patch) ** 2
        self.embed = nn.Conv2d(1, cfg.dim, cfg.patch, cfg.patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, cfg.dim))
        self.pos = nn.Parameter(0.02 * torch.randn(1, n + 1, cfg.dim))
        self.blocks = nn.ModuleList(Block(cfg, cfg.drop_path * i / cfg.depth) for i in range(cfg.depth))
        self.norm = nn.LayerNorm(cfg.dim)
        self.head = nn.Linear(cfg.dim, cfg.classes)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.size(0), -1, -1), x], 1) + self.pos
        for blk in self.blocks:
            x = blk(x)
        return self.head(self.norm(x[:, 0]))


def textures(n, cfg: ViTConfig):
    y = torch.randint(0, cfg.classes, (n,))
    g = torch.arange(cfg.image, dtype=torch.float32)
    ang = y * (math.pi / cfg.classes)
    phase = torch.rand(n, 1, 1) * 2 * math.pi
    field_ = ang.cos()[:, None, None] * g[None, :, None] + ang.sin()[:, None, None] * g[None, None, :]
    return (torch.sin(field_ + phase) + 0.3 * torch.randn(n, cfg.image, cfg.image)).unsqueeze(1), y


@torch.no_grad()
def report(it, loss, model):
    ent = [-(blk.attn.profile * blk.attn.profile.log()).sum().item() for blk in model.blocks]
    print(f"{it:5d} loss {loss:.3f} cls-token attention entropy " + " ".join(f"{e:.2f}" for e in ent))


def run(rc: RunConfig):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = ViT(rc.model).train()
    opt = torch.optim.AdamW(model.parameters(), lr=rc.lr, weight_decay=0.05)

    def lr_at(i):
        if i < rc.warmup:
            return (i + 1) / rc.warmup
        return 0.5 * (1 + math.cos(math.pi * (i - rc.warmup) / (rc.iters - rc.warmup)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, lr_at)
    for it in range(1, rc.iters + 1):
        x, y = textures(rc.batch, rc.model)
        loss = F.cross_entropy(model(x), y, label_smoothing=0.1)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        if it % rc.report == 0:
            report(it, loss.item(), model)


if __name__ == "__main__":
    run(RunConfig())
