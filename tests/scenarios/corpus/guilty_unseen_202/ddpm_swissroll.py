# gradwatch-corpus: kind=retain-needless
# first-bad: 0
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class DiffusionConfig:
    T: int = 50
    beta_start: float = 1e-4
    beta_end: float = 0.05
    hidden: int = 64
    micro_batch: int = 32
    accum: int = 2
    iters: int = 450
    lr: float = 2e-3


def swiss_roll(n, g):
    t = 1.5 * math.pi * (1 + 2 * torch.rand(n, generator=g))
    xy = torch.stack([t * t.cos(), t * t.sin()], 1) / 10
    return xy + 0.03 * torch.randn(n, 2, generator=g)


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freq", torch.exp(-math.log(1000) * torch.arange(dim // 2) / (dim // 2)))

    def forward(self, t):
        a = t.float()[:, None] * self.freq
        return torch.cat([a.sin(), a.cos()], 1)


class Denoiser(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.temb = nn.Sequential(TimeEmbedding(16), nn.Linear(16, hidden), nn.SiLU())
        self.inp = nn.Linear(2, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 2)

    def forward(self, x, t):
        h = F.silu(self.inp(x) + self.temb(t))
        return self.out(F.silu(self.mid(h)))


class GaussianDiffusion:
    def __init__(self, cfg):
        self.T = cfg.T
        self.betas = torch.linspace(cfg.beta_start, cfg.beta_end, cfg.T)
        self.abar = torch.cumprod(1 - self.betas, 0)

    def loss(self, net, x0):
        t = torch.randint(0, self.T, (len(x0),))
        eps = torch.randn_like(x0)
        ab = self.abar[t][:, None]
        return F.mse_loss(net(ab.sqrt() * x0 + (1 - ab).sqrt() * eps, t), eps)

    @torch.no_grad()
    def sample(self, net, n):
        x = torch.randn(n, 2)
        for i in reversed(range(self.T)):
            t = torch.full((n,), i)
            a, ab = 1 - self.betas[i], self.abar[i]
            x = (x - self.betas[i] / (1 - ab).sqrt() * net(x, t)) / a.sqrt()
            if i:
                x = x + self.betas[i].sqrt() * torch.randn_like(x)
        return x


def main(cfg):
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(0)
    diffusion, net = GaussianDiffusion(cfg), Denoiser(cfg.hidden)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)
    for it in range(cfg.iters):
        opt.zero_grad()
        value = 0.0
        for _ in range(cfg.accum):
            loss = diffusion.loss(net, swiss_roll(cfg.micro_batch, g)) / cfg.accum
            loss.backward(retain_graph=True)  # <- culprit
            value += loss.item()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        if it % 90 == 0:
            print(f"iter {it} loss {value:.4f} sample std {diffusion.sample(net, 64).std().item():.3f}")


if __name__ == "__main__":
    main(DiffusionConfig())
