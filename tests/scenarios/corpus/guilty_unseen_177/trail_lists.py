# gradwatch-corpus: kind=graph-held
# holder: self.trails["kl"] | vae.trails["kl"] | self.trails
# first-bad: 1
"""Small VAE on two-armed spirals, with the annealed KL term followed along
training."""
import math

import torch
from torch import nn
from torch.nn import functional as F


class Trail(list):
    """A list that knows its own recent level."""

    @property
    def level(self):
        recent = self[-20:]
        return sum(float(v) for v in recent) / max(1, len(recent))

    def rising(self):
        return len(self) > 40 and self.level > sum(float(v) for v in self[-40:-20]) / 20


class VAE(nn.Module):
    def __init__(self, latent=2, width=32):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(2, width), nn.ELU(), nn.Linear(width, 2 * latent))
        self.decoder = nn.Sequential(nn.Linear(latent, width), nn.ELU(), nn.Linear(width, 2))
        self.trails = {"rec": Trail(), "kl": Trail()}
        self.beta = 0.0

    def elbo(self, x):
        mean, log_var = self.encoder(x).chunk(2, dim=1)
        z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
        rec = F.mse_loss(self.decoder(z), x)
        kl = -0.5 * (1 + log_var - mean.pow(2) - log_var.exp()).sum(1).mean()
        self.trails["rec"].append(rec.item())
        self.trails["kl"].append(kl)  # <- culprit
        return rec + self.beta * kl

    def anneal(self, fraction):
        top = 0.01 if self.trails["kl"].rising() else 0.02
        self.beta = top * min(1.0, 2 * fraction)


def spirals(n, gen):
    t = 3 * math.pi * torch.rand(n, generator=gen).sqrt()
    arm = torch.randint(0, 2, (n,), generator=gen) * 2 - 1
    pts = torch.stack([t.cos(), t.sin()], 1) * (t * arm / 6).unsqueeze(1)
    return pts + 0.03 * torch.randn(n, 2, generator=gen)


def main(iterations=650):
    torch.manual_seed(19)
    gen = torch.Generator().manual_seed(20)
    vae = VAE()
    opt = torch.optim.Adamax(vae.parameters(), lr=4e-3)
    for it in range(iterations):
        opt.zero_grad()
        loss = vae.elbo(spirals(48, gen))
        loss.backward()
        opt.step()
        vae.anneal(it / iterations)
        if it % 100 == 99:
            print(f"{it + 1} rec {vae.trails['rec'].level:.4f} kl {vae.trails['kl'].level:.3f} beta {vae.beta:.4f}")


if __name__ == "__main__":
    main()
