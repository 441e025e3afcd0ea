# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
"""Beta-VAE with KL annealing and gradient clipping on synthetic sprite masks."""
from dataclasses import dataclass

import torch

torch.set_num_threads(1)
from torch import nn


@dataclass
class VAEConfig:
    side: int = 10
    latent: int = 4
    beta: float = 2.0
    anneal: int = 120
    steps: int = 320
    lr: float = 2e-3


class SpriteVAE(nn.Module):
    def __init__(self, c):
        super().__init__()
        px = c.side ** 2
        self.enc = nn.Sequential(nn.Flatten(), nn.Linear(px, 40), nn.ReLU(), nn.Linear(40, 2 * c.latent))
        self.dec = nn.Sequential(nn.Linear(c.latent, 40), nn.ReLU(), nn.Linear(40, px))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def sprites(n, side):
    yy, xx = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    cx, cy = torch.randint(2, side - 2, (2, n, 1, 1))
    r = torch.randint(1, 4, (n, 1, 1))
    return (((xx - cx).abs() <= r) & ((yy - cy).abs() <= r)).float()


class VAETrainer:
    def __init__(self, c):
        self.c = c
        self.vae = SpriteVAE(c)
        self.opt = torch.optim.Adam(self.vae.parameters(), lr=c.lr)
        self.logs = {"recon": [], "kl": []}

    def elbo_terms(self, x):
        logits, mu, logvar = self.vae(x)
        recon = nn.functional.binary_cross_entropy_with_logits(logits, x.flatten(1), reduction="sum") / len(x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum() / len(x)
        return recon, kl

    def optimise(self, loss):
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(self.vae.parameters(), 5.0)
        self.opt.step()

    def run(self):
        for step in range(self.c.steps):
            recon, kl = self.elbo_terms(sprites(16, self.c.side))
            self.optimise(recon + self.c.beta * min(1.0, step / self.c.anneal) * kl)
            self.logs["recon"].append(recon.item())
            self.logs["kl"].append(kl.item())
            if step % 100 == 0:
                print(step, {k: round(v[-1], 3) for k, v in self.logs.items()})


if __name__ == "__main__":
    torch.manual_seed(33)
    VAETrainer(VAEConfig()).run()
