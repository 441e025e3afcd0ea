# gradwatch-corpus: kind=memory-climb
# holder: self.snapshots | trainer.snapshots
# first-bad: 1
"""Small DDPM on 16x16 blobs, with a trainer that keeps predictions for a later error map."""
import time
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn


@dataclass
class DiffusionConfig:
    timesteps: int = 100
    size: int = 16
    channels: int = 8
    batch: int = 40
    iterations: int = 240
    lr: float = 2e-3
    beta_min: float = 1e-4
    beta_max: float = 0.05


class TimeBlock(nn.Module):
    def __init__(self, cin, cout, tdim):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.norm = nn.GroupNorm(4, cout)
        self.t = nn.Linear(tdim, cout)

    def forward(self, x, temb):
        return torch.nn.functional.silu(self.norm(self.conv(x)) + self.t(temb)[..., None, None])


class Denoiser(nn.Module):
    def __init__(self, c, timesteps, tdim=16):
        super().__init__()
        self.emb = nn.Embedding(timesteps, tdim)
        self.b1, self.b2 = TimeBlock(1, c, tdim), TimeBlock(c, c, tdim)
        self.out = nn.Conv2d(c, 1, 3, padding=1)

    def forward(self, x, t):
        e = self.emb(t)
        return self.out(self.b2(self.b1(x, e), e))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Denoiser(cfg.channels, cfg.timesteps)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        betas = torch.linspace(cfg.beta_min, cfg.beta_max, cfg.timesteps)
        self.abar = torch.cumprod(1 - betas, 0)
        self.losses = []
        self.snapshots = []

    def images(self):
        s = self.cfg.size
        grid = torch.arange(s).float()
        c = torch.rand(self.cfg.batch, 2) * (s - 6) + 3
        d = (grid[None, :, None] - c[:, 0, None, None]) ** 2 + (grid[None, None] - c[:, 1, None, None]) ** 2
        return (2 * torch.exp(-d / 8) - 1).unsqueeze(1)

    def step(self):
        x0 = self.images()
        t = torch.randint(0, self.cfg.timesteps, (len(x0),))
        noise = torch.randn_like(x0)
        a = self.abar[t][:, None, None, None]
        xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
        pred = self.model(xt, t)
        loss = (pred - noise).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        error = (pred.detach() - noise).numpy()
        self.snapshots.append({"t": t.numpy(), "error": error, "pred": pred.detach().numpy()})  # <- culprit
        self.losses.append(loss.item())

    def report(self):
        t = np.concatenate([s["t"] for s in self.snapshots[-50:]])
        mse = np.concatenate([(s["error"] ** 2).mean((1, 2, 3)) for s in self.snapshots[-50:]])
        bins = np.digitize(t, [25, 50, 75])
        return " ".join(f"q{b}={mse[bins == b].mean():.3f}" for b in range(4))


if __name__ == "__main__":
    torch.manual_seed(77)
    trainer = Trainer(DiffusionConfig())
    start = time.time()
    for i in range(trainer.cfg.iterations):
        trainer.step()
        if (i + 1) % 50 == 0:
            ms = 1000 * (time.time() - start) / (i + 1)
            print(f"{i + 1}: loss {np.mean(trainer.losses[-50:]):.4f} {trainer.report()} ({ms:.1f} ms/it)")
