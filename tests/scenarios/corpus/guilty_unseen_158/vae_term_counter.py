# gradwatch-corpus: kind=graph-held
# holder: self.terms | ledger.terms | self.ledger.terms | trainer.ledger.terms
# first-bad: 1
# notice: 8
"""Small VAE on synthetic spectra; the loss terms are summed up over the run."""
from collections import Counter

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal, kl_divergence

torch.set_num_threads(1)
torch.manual_seed(11)


class SpectraVAE(nn.Module):
    def __init__(self, bins=48, latent=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, 64), nn.GELU(), nn.Linear(64, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(latent, 64), nn.GELU(), nn.Linear(64, bins))

    def forward(self, x):
        mu, raw = self.enc(x).chunk(2, dim=-1)
        q = Normal(mu, F.softplus(raw) + 1e-3)
        return self.dec(q.rsample()), q


class TermLedger:
    """Sums per term over the whole run, so that shares can be printed."""

    def __init__(self):
        self.terms = Counter()
        self.steps = 0

    def post(self, **terms):
        self.terms.update(terms)  # <- culprit
        self.steps += 1

    def shares(self):
        total = sum(float(v) for v in self.terms.values())
        return {k: round(float(v) / total, 3) for k, v in self.terms.items()}


class Trainer:
    def __init__(self, model, lr=2e-3):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.ledger = TermLedger()

    def objective(self, x, beta):
        recon, q = self.model(x)
        prior = Normal(torch.zeros_like(q.loc), torch.ones_like(q.scale))
        rec = F.mse_loss(recon, x, reduction="none").sum(-1).mean()
        kl = kl_divergence(q, prior).sum(-1).mean()
        self.ledger.post(recon=rec, kl=kl)  # <- culprit
        return rec + beta * kl

    def step(self, x, beta):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.objective(x, beta)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def spectra(n, bins=48):
    grid = torch.linspace(0, 1, bins)
    centre = torch.rand(n, 1)
    width = 0.03 + 0.05 * torch.rand(n, 1)
    return torch.exp(-((grid - centre) / width) ** 2) + 0.02 * torch.randn(n, bins)


def main():
    trainer = Trainer(SpectraVAE())
    for it in range(90):
        value = trainer.step(spectra(32), beta=min(1.0, it / 40))
        if it % 30 == 29:
            print(f"it {it + 1:3d}  loss {value:.3f}  shares {trainer.ledger.shares()}")


if __name__ == "__main__":
    main()
