# gradwatch-corpus: kind=second-backward
# holder: self.prev | balancer.prev
# first-bad: 31
"""VAE whose KL weight follows the relative progress of both terms once the warm-up is over."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class VAE(nn.Module):
    def __init__(self, d=64, h=96, z=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ELU(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ELU(), nn.Linear(h, d))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


class LossBalancer:
    """Dynamic weight averaging: terms which fall slowly get more weight."""

    def __init__(self, warmup=30, temp=2.0):
        self.warmup = warmup
        self.temp = temp
        self.prev = None
        self.calls = 0

    def __call__(self, terms):
        if self.calls < self.warmup:
            total = sum(terms)
        else:
            if self.prev is None:
                ratios = torch.ones(len(terms))
            else:
                ratios = torch.stack([t / p for t, p in zip(terms, self.prev)])  # <- culprit
            weights = len(terms) * torch.softmax(ratios / self.temp, 0)
            total = (weights * torch.stack(terms)).sum()
            self.prev = list(terms)  # <- culprit
        self.calls += 1
        return total


def data(n, d=64):
    basis = torch.randn(6, d, generator=torch.Generator().manual_seed(0))
    return torch.tanh(torch.randn(n, 6) @ basis)


def elbo_terms(x, recon, mu, logvar):
    rec = F.mse_loss(recon, x, reduction="none").sum(-1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1).mean()
    return [rec, kl]


def main():
    torch.manual_seed(44)
    model, balancer = VAE(), LossBalancer()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    log = []
    for step in range(120):
        x = data(64)
        terms = elbo_terms(x, *model(x))
        loss = balancer(terms)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.append([t.item() for t in terms])
        if (step + 1) % 10 == 0:
            rec, kl = (sum(c) / 10 for c in zip(*log[-10:]))
            print(f"step {step + 1:3d} rec {rec:.3f} kl {kl:.3f}")


if __name__ == "__main__":
    main()
