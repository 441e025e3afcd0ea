# gradwatch-corpus: kind=graph-held
# holder: self.value | meters["recon"].value | meters[name].value | meters
# first-bad: 1
"""Denoising autoencoder on single-cell counts (negative binomial-ish toy)."""
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn


@dataclass
class SmoothedValue:
    momentum: float = 0.97
    value: Any = None
    updates: int = 0

    def update(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.momentum * self.value + (1 - self.momentum) * x  # <- culprit
        self.updates += 1

    def __str__(self):
        return f"{self.value.item():.4f}"


class CellAE(nn.Module):
    def __init__(self, genes, latent=10):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(genes, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, latent))
        self.dec = nn.Sequential(nn.Linear(latent, 64), nn.ReLU(), nn.Linear(64, genes))
        self.log_theta = nn.Parameter(torch.zeros(genes))

    def forward(self, counts):
        size = counts.sum(dim=1, keepdim=True)
        z = self.enc(torch.log1p(counts * 1e3 / size))
        frac = torch.softmax(self.dec(z), dim=1)
        return z, frac * size


def nb_nll(counts, mu, log_theta):
    theta = log_theta.exp()
    eps = 1e-8
    lg = torch.lgamma(counts + theta) - torch.lgamma(theta) - torch.lgamma(counts + 1)
    ll = lg + theta * (theta / (theta + mu) + eps).log() + counts * (mu / (theta + mu) + eps).log()
    return -ll.mean()


def simulate_cells(n, genes, types=5):
    profiles = torch.softmax(1.5 * torch.randn(types, genes), dim=1)
    label = torch.randint(0, types, (n,))
    depth = 500 + 1500 * torch.rand(n, 1)
    return torch.poisson(profiles[label] * depth), label


def main(genes=120, iters=130):
    torch.manual_seed(8)
    cells, _ = simulate_cells(2000, genes)
    model = CellAE(genes)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    meters = {"recon": SmoothedValue()}
    norm_meter = SmoothedValue(momentum=0.9)

    for it in range(iters):
        counts = cells[torch.randint(0, len(cells), (64,))]
        dropped = counts * (torch.rand_like(counts) > 0.1)
        z, mu = model(dropped + 1e-3)
        recon = nb_nll(counts, mu, model.log_theta)
        loss = recon + 1e-3 * z.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        gnorm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        meters["recon"].update(recon)  # <- culprit
        norm_meter.update(gnorm)
        if it % 40 == 0:
            print(f"it {it} recon {meters['recon']} gnorm {norm_meter}")


if __name__ == "__main__":
    main()
