# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""Soft-quantised speech autoencoder; code usage is watched by a callback that revives dead codes."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class CodecConfig:
    mels: int = 20
    latent: int = 8
    codes: int = 24
    frames: int = 96
    steps: int = 400
    revive_every: int = 20
    lr: float = 2e-3


class FrameSource:
    def __init__(self, cfg, seed=10):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.basis = torch.randn(5, cfg.mels, generator=self.gen)

    def next(self):
        mix = torch.rand(self.cfg.frames, 5, generator=self.gen).pow(3)
        return mix @ self.basis + 0.02 * torch.randn(self.cfg.frames, self.cfg.mels, generator=self.gen)


class SoftCodebook(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.register_buffer("codes", torch.randn(cfg.codes, cfg.latent))
        self.register_buffer("usage", torch.zeros(cfg.codes))
        self.log_temp = nn.Parameter(torch.zeros(()))

    def forward(self, z):
        affinity = z @ self.codes.t() * self.log_temp.exp()
        weights = affinity.softmax(-1)
        self.usage.lerp_(weights.detach().mean(0), 0.05)
        return weights @ self.codes

    @torch.no_grad()
    def reseed(self, z, quota):
        worst = self.usage.topk(quota, largest=False).indices
        donors = z[torch.randperm(len(z))[:quota]]
        self.codes.index_copy_(0, worst, donors)  # <- culprit
        self.usage[worst] = self.usage.mean()


class Codec(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(cfg.mels, 32), nn.SiLU(), nn.Linear(32, cfg.latent))
        self.book = SoftCodebook(cfg)
        self.decoder = nn.Sequential(nn.Linear(cfg.latent, 32), nn.SiLU(), nn.Linear(32, cfg.mels))

    def forward(self, x):
        z = self.encoder(x)
        return self.decoder(self.book(z)), z


class DeadCodeRevival:
    def __init__(self, every, quota=3):
        self.every = every
        self.quota = quota

    def after_forward(self, codec, step, z):
        if step and step % self.every == 0:
            codec.book.reseed(z.detach(), self.quota)


class CodecTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.codec = Codec(cfg)
        self.opt = torch.optim.Adam(self.codec.parameters(), lr=cfg.lr)
        self.callbacks = [DeadCodeRevival(cfg.revive_every)]

    def _emit(self, step, z):
        for cb in self.callbacks:
            cb.after_forward(self.codec, step, z)  # <- culprit

    def step(self, step, frames):
        recon, z = self.codec(frames)
        self._emit(step, z)
        loss = F.l1_loss(recon, frames)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(33)
    cfg = CodecConfig()
    trainer, source = CodecTrainer(cfg), FrameSource(cfg)
    for step in range(cfg.steps):
        loss = trainer.step(step, source.next())
        if step % 10 == 0:
            print(f"step {step} l1 {loss:.4f}")


if __name__ == "__main__":
    main()
