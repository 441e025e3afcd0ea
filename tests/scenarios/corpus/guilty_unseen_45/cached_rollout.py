# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
"""Free-running fine-tuning of a one-block decoder with a preallocated KV cache."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    width: int = 32
    context: int = 16
    rollout_from: int = 30
    rollout_max: int = 6
    batch: int = 24
    steps: int = 150
    lr: float = 2e-3


class KVCache:
    def __init__(self, batch, length, width):
        self.keys = torch.zeros(batch, length, width)
        self.values = torch.zeros(batch, length, width)
        self.used = 0

    def extend(self, k, v):
        stop = self.used + k.shape[1]
        self.keys[:, self.used:stop] = k  # <- culprit
        self.values[:, self.used:stop] = v  # <- culprit
        self.used = stop
        return self.keys[:, :stop], self.values[:, :stop]  # <- culprit


class CachedAttention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.q = nn.Linear(width, width)
        self.kv = nn.Linear(width, 2 * width)
        self.o = nn.Linear(width, width)

    def forward(self, x, cache):
        start = cache.used
        k, v = cache.extend(*self.kv(x).chunk(2, dim=-1))  # <- culprit
        score = self.q(x) @ k.transpose(1, 2) / k.shape[-1] ** 0.5
        pos = torch.arange(start, cache.used)
        future = torch.arange(cache.used)[None, :] > pos[:, None]
        return self.o(score.masked_fill(future, -1e9).softmax(-1) @ v)


class Decoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = nn.Linear(1, cfg.width)
        self.pos = nn.Parameter(torch.randn(64, cfg.width) * 0.02)
        self.attn = CachedAttention(cfg.width)
        self.ff = nn.Sequential(nn.Linear(cfg.width, 64), nn.GELU(), nn.Linear(64, cfg.width))
        self.out = nn.Linear(cfg.width, 1)

    def forward(self, x, cache):
        h = self.embed(x) + self.pos[cache.used:cache.used + x.shape[1]]
        h = h + self.attn(h, cache)
        return self.out(h + self.ff(h))


def oscillations(cfg, horizon):
    t = torch.arange(cfg.context + horizon).float()
    w = torch.rand(cfg.batch, 1) * 0.6 + 0.2
    ph = torch.rand(cfg.batch, 1) * 6.28
    return torch.sin(w * t + ph).unsqueeze(-1)


def horizon_at(step, cfg):
    if step < cfg.rollout_from:
        return 1
    return min(cfg.rollout_max, 2 + (step - cfg.rollout_from) // 20)


def rollout_loss(model, series, cfg, horizon):
    cache = KVCache(series.shape[0], cfg.context + horizon, cfg.width)
    pred = model(series[:, :cfg.context], cache)
    loss = F.mse_loss(pred, series[:, 1:cfg.context + 1])
    x = pred[:, -1:]
    for h in range(1, horizon):
        x = model(x, cache)
        loss = loss + F.mse_loss(x, series[:, cfg.context + h:cfg.context + h + 1]) / horizon
    return loss


def main():
    cfg = Config()
    torch.manual_seed(3)
    model = Decoder(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for step in range(cfg.steps):
        horizon = horizon_at(step, cfg)
        loss = rollout_loss(model, oscillations(cfg, horizon), cfg, horizon)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(f"step {step:3d} horizon {horizon} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
