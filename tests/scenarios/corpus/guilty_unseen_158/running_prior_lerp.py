# gradwatch-corpus: kind=inplace-modified
# first-bad: 10
# notice: 0
"""Latent regression whose prior follows the average posterior after a short burn-in."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal, kl_divergence

torch.set_num_threads(1)
torch.manual_seed(31)


class FollowingPrior:
    def __init__(self, dim, rate=0.05, burn_in=10):
        self.normal = Normal(torch.zeros(dim), torch.ones(dim))
        self.rate = rate
        self.burn_in = burn_in
        self.calls = 0

    @torch.no_grad()
    def follow(self, posterior):
        self.calls += 1
        if self.calls <= self.burn_in:
            return
        spread = (posterior.variance.mean(0) + posterior.mean.var(0)).sqrt()
        self.normal.loc.lerp_(posterior.mean.mean(0), self.rate)  # <- culprit
        self.normal.scale.lerp_(spread, self.rate)  # <- culprit


class LatentRegressor(nn.Module):
    def __init__(self, inputs=10, latent=4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(inputs, 32), nn.ELU(), nn.Linear(32, 2 * latent))
        self.decoder = nn.Sequential(nn.Linear(latent, 32), nn.ELU(), nn.Linear(32, 1))

    def posterior(self, x):
        loc, raw = self.encoder(x).chunk(2, dim=-1)
        return Normal(loc, F.softplus(raw) + 1e-2)

    def forward(self, x):
        q = self.posterior(x)
        return self.decoder(q.rsample()).squeeze(-1), q


class Experiment:
    def __init__(self):
        self.model = LatentRegressor()
        self.prior = FollowingPrior(dim=4)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)

    def elbo_terms(self, x, y):
        prediction, q = self.model(x)
        kl = kl_divergence(q, self.prior.normal).sum(-1).mean()
        self.prior.follow(q)  # <- culprit
        return F.mse_loss(prediction, y), kl

    def step(self, beta=0.02):
        x = torch.randn(40, 10)
        y = (x[:, 0] - x[:, 1]).sin() + 0.1 * torch.randn(40)
        self.opt.zero_grad()
        fit, kl = self.elbo_terms(x, y)
        (fit + beta * kl).backward()
        self.opt.step()
        return fit.item(), kl.item()


def main():
    experiment = Experiment()
    for it in range(100):
        fit, kl = experiment.step()
        if it % 5 == 4:
            print(f"it {it + 1} mse {fit:.4f} kl {kl:.4f}")


if __name__ == "__main__":
    main()
