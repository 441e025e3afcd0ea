# gradwatch-corpus: kind=graph-unused
# first-bad: 0
# notice: 60
"""VAE for synthetic absorption spectra, with an importance-weighted estimate of the
held-out log-likelihood after each step (for the learning curve of the report)."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)


class Config:
    bins = 40
    latent = 4
    hidden = 48
    batch = 32
    steps = 150
    lr = 2e-3
    iw_samples = 10
    kl_warmup = 60


def make_spectra(n, bins):
    """Two Lorentzian absorption lines with random position and depth."""
    x = torch.linspace(0, 1, bins).view(1, -1)
    out = torch.ones(n, bins)
    for centre in (0.3, 0.7):
        c = centre + 0.05 * torch.randn(n, 1)
        depth = 0.2 + 0.5 * torch.rand(n, 1)
        out = out - depth / (1 + ((x - c) / 0.04) ** 2)
    return out + 0.02 * torch.randn(n, bins)


class VAE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(cfg.bins, cfg.hidden), nn.SiLU(), nn.Linear(cfg.hidden, 2 * cfg.latent))
        self.decoder = nn.Sequential(nn.Linear(cfg.latent, cfg.hidden), nn.SiLU(), nn.Linear(cfg.hidden, cfg.bins))
        self.log_sigma = nn.Parameter(torch.tensor(-1.0))

    def encode(self, x):
        return self.encoder(x).chunk(2, dim=-1)

    def reparameterize(self, mu, logvar):
        return mu + torch.exp(0.5 * logvar) * torch.randn_like(mu)

    def log_likelihood(self, x, z):
        recon = self.decoder(z)
        s = self.log_sigma
        return (-0.5 * ((x - recon) / s.exp()) ** 2 - s - 0.5 * math.log(2 * math.pi)).sum(-1)


def elbo(model, x, beta):
    mu, logvar = model.encode(x)
    z = model.reparameterize(mu, logvar)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1)
    return (model.log_likelihood(x, z) - beta * kl).mean(), kl.mean()


def importance_weighted_nll(model, x, k):
    """-log p(x), estimated with k samples of the posterior (Burda et al.)."""
    model.eval()
    mu, logvar = model.encode(x)  # <- culprit
    mu = mu.unsqueeze(0).expand(k, -1, -1)
    logvar = logvar.unsqueeze(0).expand(k, -1, -1)
    z = model.reparameterize(mu, logvar)
    log_q = (-0.5 * (z - mu) ** 2 / logvar.exp() - 0.5 * logvar - 0.5 * math.log(2 * math.pi)).sum(-1)
    log_p = (-0.5 * z ** 2 - 0.5 * math.log(2 * math.pi)).sum(-1)
    log_w = model.log_likelihood(x, z) + log_p - log_q
    nll = -(torch.logsumexp(log_w, dim=0) - math.log(k)).mean()
    model.train()
    return nll.item()


def main():
    cfg = Config()
    torch.manual_seed(9)
    train = make_spectra(1024, cfg.bins)
    held_out = make_spectra(64, cfg.bins)
    model = VAE(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    curve = []

    for step in range(cfg.steps):
        x = train[torch.randint(0, len(train), (cfg.batch,))]
        beta = min(1.0, step / cfg.kl_warmup)
        bound, kl = elbo(model, x, beta)
        optimizer.zero_grad()
        (-bound).backward()
        optimizer.step()

        curve.append(importance_weighted_nll(model, held_out, cfg.iw_samples))  # <- culprit
        if step % 25 == 0:
            print(f"{step:4d} elbo {bound.item():9.3f} kl {kl.item():.3f} held-out nll {curve[-1]:.3f}")

    best = min(range(len(curve)), key=curve.__getitem__)
    print(f"best step {best}: {curve[best]:.3f}")


if __name__ == "__main__":
    main()
