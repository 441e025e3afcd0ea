# gradwatch-corpus: kind=graph-held
# holder: self.posteriors | fitter.posteriors
# first-bad: 1
import math

import torch
from torch.distributions import Independent, Normal, Poisson, kl_divergence


def daily_counts(n_shops, n_days, seed=2):
    g = torch.Generator().manual_seed(seed)
    level = 1.5 + 0.5 * torch.randn(n_shops, 1, generator=g)
    day = torch.arange(n_days).float()
    season = 0.3 * torch.sin(2 * math.pi * day / 7)
    return torch.poisson((level + season).exp(), generator=g), season


class ShopLevels(torch.nn.Module):
    """Mean-field posterior over log sales levels with an amortised encoder."""

    def __init__(self, n_days):
        super().__init__()
        self.encoder = torch.nn.Sequential(
            torch.nn.Linear(n_days, 32),
            torch.nn.ELU(),
            torch.nn.Linear(32, 2),
        )
        self.season_amp = torch.nn.Parameter(torch.tensor(0.0))

    def guide(self, counts):
        loc, raw = self.encoder(counts.log1p()).chunk(2, dim=-1)
        scale = torch.nn.functional.softplus(raw) + 1e-3
        return Independent(Normal(loc, scale), 1)

    def likelihood(self, level, season):
        rate = (level + self.season_amp * season).clamp(max=8).exp()
        return Independent(Poisson(rate), 1)


class Fitter:
    def __init__(self, model, season):
        self.model = model
        self.season = season
        self.prior = Independent(Normal(torch.zeros(1), torch.full((1,), 3.0)), 1)
        self.opt = torch.optim.Adam(model.parameters(), lr=5e-3)
        self.posteriors = []
        self.elbos = []

    def svi_step(self, counts):
        q = self.model.guide(counts)
        level = q.rsample()
        log_lik = self.model.likelihood(level, self.season).log_prob(counts)
        kl = kl_divergence(q, self.prior)
        elbo = (log_lik - kl).mean()
        self.opt.zero_grad()
        (-elbo).backward()
        self.opt.step()
        self.posteriors.append(q)  # <- culprit
        self.elbos.append(elbo.item())

    def bands(self, every):
        out = []
        for q in self.posteriors[::every]:
            mid = q.mean.mean().item()
            half = 1.96 * q.variance.sqrt().mean().item()
            out.append((mid - half, mid + half))
        return out


def run():
    torch.manual_seed(2)
    counts, season = daily_counts(n_shops=300, n_days=56)
    fitter = Fitter(ShopLevels(56), season / 0.3)
    for step in range(150):
        rows = torch.randperm(counts.shape[0])[:60]
        fitter.svi_step(counts[rows])
        if step % 30 == 0:
            print(f"{step:4d} elbo {fitter.elbos[-1]:.2f}")
    for k, (lo, hi) in enumerate(fitter.bands(every=30)):
        print(f"band at {30 * k:3d}: [{lo:.3f}, {hi:.3f}]")
    print("seasonal amplitude", round(fitter.model.season_amp.item(), 3))


run()
