# gradwatch-corpus: kind=memory-climb
# first-bad: 1
"""Beta-VAE on synthetic emission spectra."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class VAEConfig:
    bins: int = 1024
    latent: int = 6
    hidden: int = 96
    batch: int = 96
    iters: int = 700
    beta: float = 0.5
    lr: float = 1e-3


class VAE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(cfg.bins, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, 2 * cfg.latent))
        self.dec = nn.Sequential(nn.Linear(cfg.latent, cfg.hidden), nn.ReLU(), nn.Linear(cfg.hidden, cfg.bins))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, 1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


@dataclass
class EpochOutputs:
    recon: list = field(default_factory=list)
    mu: list = field(default_factory=list)
    losses: list = field(default_factory=list)

    def add(self, recon, mu, loss):
        self.recon.append(recon.detach().cpu())  # <- culprit
        self.mu.append(mu.detach().mean(0))
        self.losses.append(loss.item())

    def summary(self, last=100):
        r = self.recon[-1]
        spread = torch.stack(self.mu[-last:]).std(0).mean().item()
        return sum(self.losses[-last:]) / len(self.losses[-last:]), r.std().item(), spread


class SpectraSource:
    def __init__(self, cfg, seed=19):
        self.g = torch.Generator().manual_seed(seed)
        self.axis = torch.linspace(0, 1, cfg.bins)
        self.lines = torch.tensor([0.15, 0.32, 0.5, 0.71, 0.88])

    def sample(self, n):
        amp = torch.rand(n, 5, 1, generator=self.g)
        shift = 0.01 * torch.randn(n, 1, 1, generator=self.g)
        peaks = amp * torch.exp(-((self.axis - self.lines[None, :, None] - shift) / 0.01) ** 2)
        return peaks.sum(1) + 0.02 * torch.randn(n, self.axis.numel(), generator=self.g)


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        self.source = SpectraSource(cfg)
        self.model = VAE(cfg)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.outputs = EpochOutputs()

    def training_step(self):
        x = self.source.sample(self.cfg.batch)
        recon, mu, logvar = self.model(x)
        rec = F.mse_loss(recon, x, reduction="sum") / x.size(0)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        loss = rec + self.cfg.beta * kl
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.outputs.add(recon, mu, loss)

    def run(self):
        for i in range(self.cfg.iters):
            self.training_step()
            if (i + 1) % 100 == 0:
                loss, contrast, spread = self.outputs.summary()
                print(f"iter {i + 1} elbo {loss:.3f} contrast {contrast:.3f} mu-spread {spread:.3f}")


if __name__ == "__main__":
    torch.manual_seed(2)
    Experiment(VAEConfig()).run()
