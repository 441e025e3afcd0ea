# gradwatch-corpus: kind=none
"""Sentence-length model: a Gaussian prior with learned location, made once and used all along."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Independent, Laplace, Normal

torch.set_num_threads(1)
torch.manual_seed(3)


class LatentPrior(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(dim))
        self.dist = Independent(Normal(self.loc, torch.ones(dim)), 1)

    def log_prob(self, z):
        return self.dist.log_prob(z)


class LengthModel(nn.Module):
    def __init__(self, inputs=12, latent=5):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(inputs, 32), nn.SiLU(), nn.Linear(32, 2 * latent))
        self.dec = nn.Linear(latent, inputs)
        self.prior = LatentPrior(latent)
        self.log_width = nn.Parameter(torch.zeros(inputs))

    def forward(self, x):
        loc, raw = self.enc(x).chunk(2, dim=-1)
        q = Independent(Normal(loc, F.softplus(raw) + 1e-3), 1)
        z = q.rsample()
        likelihood = Independent(Laplace(self.dec(z), self.log_width.exp()), 1)
        return likelihood.log_prob(x) + self.prior.log_prob(z) - q.log_prob(z)


def sample(n, mix):
    codes = torch.randn(n, mix.size(0)) + 1.5
    return codes @ mix + 0.1 * torch.randn(n, mix.size(1))


def main():
    mix = torch.randn(5, 12) * 0.5
    model = LengthModel()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    history = []
    for step in range(110):
        loss = -model(sample(48, mix)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(loss.item())
        if step % 22 == 21:
            shift = model.prior.dist.mean.detach().norm().item()
            print(f"step {step + 1} elbo {-sum(history[-22:]) / 22:.3f} prior shift {shift:.3f}")


if __name__ == "__main__":
    main()
