# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""VAE for PBMC counts with a negative-binomial likelihood; dispersion and rates are bounded after warm-up."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import NegativeBinomial

torch.manual_seed(1001)

N_CELLS = 2560
N_GENES = 80
BATCH = 64
EPOCHS = 4
WARMUP_EPOCHS = 1
RATE_CEILING = 200.0


def fake_pbmc():
    kinds = torch.randint(0, 4, (N_CELLS,))
    loadings = torch.rand(4, N_GENES) ** 3 * 8 + 0.05
    depth = torch.rand(N_CELLS, 1) + 0.5
    return torch.poisson(loadings[kinds] * depth)


class CountVAE(nn.Module):
    def __init__(self, n_genes, latent=8, hidden=64):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_genes, hidden), nn.BatchNorm1d(hidden), nn.ReLU())
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, n_genes))
        self.log_theta = nn.Parameter(torch.zeros(n_genes))
        self.bounded = False

    def encode(self, counts):
        h = self.enc(torch.log1p(counts))
        return self.mu(h), self.logvar(h).clamp(-8, 8)

    def decode(self, z, size):
        rate = torch.exp(self.dec(z)) * size
        theta = torch.exp(self.log_theta)
        if self.bounded:
            rate = rate.clamp(max=RATE_CEILING)
            theta.clamp_(1e-2, 1e3)  # <- culprit
        return rate, theta

    def forward(self, counts):
        mu, logvar = self.encode(counts)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        size = counts.sum(1, keepdim=True) / counts.shape[1]
        return self.decode(z, size), mu, logvar


def nb_log_prob(counts, rate, theta):
    logits = torch.log(rate + 1e-6) - torch.log(theta + 1e-6)
    return NegativeBinomial(total_count=theta, logits=logits, validate_args=False).log_prob(counts)


def kl_normal(mu, logvar):
    return -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1)


def epoch_batches(data):
    for idx in torch.randperm(len(data)).split(BATCH):
        yield data[idx]


cells = fake_pbmc()
vae = CountVAE(N_GENES)
opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
history = {"epoch": [], "nll": [], "kl": []}

for epoch in range(EPOCHS):
    vae.bounded = epoch >= WARMUP_EPOCHS
    kl_weight = min(1.0, 0.1 + epoch / EPOCHS)
    sums = {"nll": 0.0, "kl": 0.0, "n": 0}
    for counts in epoch_batches(cells):
        (rate, theta), mu, logvar = vae(counts)
        nll = -nb_log_prob(counts, rate, theta).sum(1).mean()
        kl = kl_normal(mu, logvar).mean()
        loss = nll + kl_weight * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        sums["nll"] += nll.item()
        sums["kl"] += kl.item()
        sums["n"] += 1
    history["epoch"].append(epoch)
    for k in ("nll", "kl"):
        history[k].append(sums[k] / sums["n"])
    print(f"epoch {epoch}: nll={history['nll'][-1]:.2f} kl={history['kl'][-1]:.2f}")
