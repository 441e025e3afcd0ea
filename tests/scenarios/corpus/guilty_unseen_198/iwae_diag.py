# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""VAE on binary patterns with an importance-weighted bound as a diagnostic."""
import math
import torch
from torch import nn
import torch.nn.functional as F

LATENT = 6
K_DIAG = 24


class VAE(nn.Module):
    def __init__(self, d=49, h=48):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU(), nn.Linear(h, 2 * LATENT))
        self.dec = nn.Sequential(nn.Linear(LATENT, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, d))

    def posterior(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        return mu, logvar.clamp(-6, 4)

    def log_px(self, z, x):
        return -F.binary_cross_entropy_with_logits(self.dec(z), x, reduction="none").sum(-1)


def log_normal(z, mu, logvar):
    return -0.5 * (math.log(2 * math.pi) + logvar + (z - mu) ** 2 / logvar.exp()).sum(-1)


def neg_elbo(vae, x, beta):
    mu, logvar = vae.posterior(x)
    z = mu + (0.5 * logvar).exp() * torch.randn_like(mu)
    kl = 0.5 * (mu ** 2 + logvar.exp() - 1 - logvar).sum(-1)
    return (beta * kl - vae.log_px(z, x)).mean()


def iw_bound(vae, x, k):
    mu, logvar = vae.posterior(x)
    terms = []
    for _ in range(k):
        z = mu + (0.5 * logvar).exp() * torch.randn_like(mu)
        prior = log_normal(z, torch.zeros_like(mu), torch.zeros_like(mu))
        terms.append(vae.log_px(z, x) + prior - log_normal(z, mu, logvar))
    return (torch.logsumexp(torch.stack(terms), 0) - math.log(k)).mean()


def patterns(n):
    g = torch.zeros(n, 7, 7)
    r = torch.randint(7, (n,))
    c = torch.randint(7, (n,))
    g[torch.arange(n), r] = 1
    g[torch.arange(n), :, c] = 1
    flip = (torch.rand_like(g) < 0.02).float()
    return (g - flip).abs().flatten(1)


def main():
    torch.manual_seed(23)
    vae = VAE()
    opt = torch.optim.Adam(vae.parameters(), lr=1e-3)
    gap_log = []
    for it in range(400):
        x = patterns(16)
        loss = neg_elbo(vae, x, beta=min(1.0, it / 200))
        opt.zero_grad()
        loss.backward()
        opt.step()
        bound = iw_bound(vae, x, K_DIAG)  # <- culprit
        gap_log.append(bound.item() + loss.item())
        if it % 50 == 0:
            print(f"{it} -elbo {loss.item():.3f} iw {bound.item():.3f} gap {gap_log[-1]:.3f}")


if __name__ == "__main__":
    main()
