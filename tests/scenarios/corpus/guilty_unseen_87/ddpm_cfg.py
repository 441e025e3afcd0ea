# gradwatch-corpus: kind=second-backward
# holder: net.cond._null | self._null | self.cond._null | model.cond._null | null
# first-bad: 160
# notice: 0
"""Class-conditional DDPM on 2-D moons/rings with classifier-free guidance."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    steps: int = 600
    batch: int = 128
    timesteps: int = 100
    width: int = 64
    classes: int = 3
    drop_from: int = 150       # unconditional batches are mixed in after the warm phase
    drop_every: int = 10
    lr: float = 2e-3
    betas: tuple = field(default=(1e-4, 0.05))


class ClassConditioner(nn.Module):
    def __init__(self, classes, width):
        super().__init__()
        self.table = nn.Embedding(classes + 1, width)
        self.proj = nn.Sequential(nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width))
        self.null_id = classes
        self._null = None

    @property
    def null(self):
        if self._null is None:
            ids = torch.tensor([self.null_id])
            self._null = self.proj(self.table(ids))  # <- culprit
        return self._null

    def forward(self, labels, unconditional=False):
        if unconditional:
            return self.null.expand(labels.size(0), -1)
        return self.proj(self.table(labels))


class Denoiser(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cond = ClassConditioner(cfg.classes, cfg.width)
        self.time = nn.Embedding(cfg.timesteps, cfg.width)
        self.inp = nn.Linear(2, cfg.width)
        self.body = nn.Sequential(nn.SiLU(), nn.Linear(cfg.width, cfg.width), nn.SiLU(), nn.Linear(cfg.width, 2))

    def forward(self, x, t, y, unconditional=False):
        return self.body(self.inp(x) + self.time(t) + self.cond(y, unconditional))


class Diffusion:
    def __init__(self, cfg):
        beta = torch.linspace(*cfg.betas, cfg.timesteps)
        self.alpha_bar = torch.cumprod(1 - beta, 0)
        self.T = cfg.timesteps

    def loss(self, net, x0, y, unconditional):
        t = torch.randint(0, self.T, (x0.size(0),))
        eps = torch.randn_like(x0)
        a = self.alpha_bar[t].unsqueeze(1)
        xt = a.sqrt() * x0 + (1 - a).sqrt() * eps
        return F.mse_loss(net(xt, t, y, unconditional), eps)


def sample_batch(cfg):
    y = torch.randint(0, cfg.classes, (cfg.batch,))
    ang = torch.rand(cfg.batch) * 2 * torch.pi
    rad = 0.5 + 0.6 * y.float()
    x = torch.stack([rad * ang.cos(), rad * ang.sin()], 1)
    return x + 0.04 * torch.randn_like(x), y


def train(cfg):
    net, diff = Denoiser(cfg), Diffusion(cfg)
    opt = torch.optim.AdamW(net.parameters(), lr=cfg.lr)
    running = None
    for step in range(cfg.steps):
        x, y = sample_batch(cfg)
        uncond = step >= cfg.drop_from and step % cfg.drop_every == 0
        loss = diff.loss(net, x, y, uncond)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
        if step % 50 == 0:
            print(f"[{step:4d}] eps-mse {running:.4f}")
    return net


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    train(Config())
