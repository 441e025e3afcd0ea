# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Spatial field regression: whitened Gaussian process coefficients and kernel length fitted by MAP."""
import torch
from torch import nn


def rbf(a, b, log_len, log_amp):
    d2 = (a.unsqueeze(1) - b.unsqueeze(0)).pow(2).sum(-1)
    return (2 * log_amp).exp() * torch.exp(-0.5 * d2 / (2 * log_len).exp())


class WhitenedField(nn.Module):
    """f = K_xz L^-T v with v ~ N(0, I) at inducing sites z."""

    def __init__(self, sites, jitter=1e-3):
        super().__init__()
        self.register_buffer("sites", sites)
        self.log_len = nn.Parameter(torch.tensor(0.0))
        self.log_amp = nn.Parameter(torch.tensor(0.0))
        self.log_noise = nn.Parameter(torch.tensor(-1.0))
        self.v = nn.Parameter(torch.zeros(len(sites)))
        self.jitter = jitter
        self._chol = None

    @property
    def chol(self):
        if self._chol is None:
            k = rbf(self.sites, self.sites, self.log_len, self.log_amp)
            self._chol = torch.linalg.cholesky(k + self.jitter * torch.eye(len(k)))  # <- culprit
        return self._chol

    def forward(self, x):
        kxz = rbf(x, self.sites, self.log_len, self.log_amp)
        alpha = torch.linalg.solve_triangular(self.chol.T, self.v.unsqueeze(1), upper=True)
        return (kxz @ alpha).squeeze(1)

    def neg_log_joint(self, x, y, n_total):
        resid = y - self(x)
        lik = 0.5 * resid.pow(2) / (2 * self.log_noise).exp() + self.log_noise
        prior = 0.5 * self.v.pow(2).sum() + 0.5 * (self.log_len + 0.5) ** 2
        return lik.mean() + prior / n_total


class Survey:
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = 4 * torch.rand(n, 2, generator=g) - 2
        f = torch.sin(2 * self.x[:, 0]) * torch.cos(self.x[:, 1])
        self.y = f + 0.1 * torch.randn(n, generator=g)

    def minibatches(self, size, epochs):
        for _ in range(epochs):
            for idx in torch.randperm(len(self.x)).split(size):
                yield self.x[idx], self.y[idx]


def fit(survey, side=5, epochs=60):
    line = torch.linspace(-2, 2, side)
    field = WhitenedField(torch.cartesian_prod(line, line))
    opt = torch.optim.Adam(field.parameters(), lr=0.02)
    for k, (x, y) in enumerate(survey.minibatches(32, epochs)):
        opt.zero_grad()
        objective = field.neg_log_joint(x, y, len(survey.x))
        objective.backward()
        opt.step()
        if k % 80 == 0:
            print(k, round(objective.item(), 4), "length", round(field.log_len.exp().item(), 3))
    return field


if __name__ == "__main__":
    torch.manual_seed(13)
    fit(Survey(256, seed=13))
