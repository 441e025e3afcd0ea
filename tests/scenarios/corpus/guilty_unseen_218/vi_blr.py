# gradwatch-corpus: kind=second-backward
# holder: q
# first-bad: 1
"""Variational Bayesian regression on random Fourier features (assignment 4, q2)."""
import torch
from torch.distributions import MultivariateNormal, Normal, kl_divergence

torch.manual_seed(8)

N, M = 400, 20
x = torch.rand(N, 1) * 6 - 3
y = (torch.sin(1.5 * x) + 0.3 * x).squeeze(1) + 0.15 * torch.randn(N)

omega = torch.randn(1, M // 2)


def features(x):
    z = x @ omega
    return torch.cat([z.cos(), z.sin()], dim=1) * (2.0 / M) ** 0.5


def build_cholesky(diag_raw, lower):
    return torch.tril(lower, -1) + torch.diag(torch.nn.functional.softplus(diag_raw))


mean = torch.zeros(M, requires_grad=True)
diag_raw = torch.full((M,), -1.0, requires_grad=True)
lower = (0.01 * torch.randn(M, M)).requires_grad_()
log_sigma = torch.tensor(-1.0, requires_grad=True)

prior = MultivariateNormal(torch.zeros(M), 4.0 * torch.eye(M))
q = MultivariateNormal(mean, scale_tril=build_cholesky(diag_raw, lower))  # <- culprit

opt = torch.optim.Adam([mean, diag_raw, lower, log_sigma], lr=0.02)
Phi = features(x)


def elbo(batch, n_samples=4):
    w = q.rsample((n_samples,))
    f = torch.einsum('sm,nm->sn', w, Phi[batch])
    lik = Normal(f, log_sigma.exp()).log_prob(y[batch]).mean(0).sum()
    return lik * (N / len(batch)) - kl_divergence(q, prior)


for epoch in range(100):
    order = torch.randperm(N)
    batch = order[:100]
    loss = -elbo(batch) / N
    opt.zero_grad()
    loss.backward()
    opt.step()
    if epoch % 20 == 0:
        with torch.no_grad():
            rmse = (Phi @ mean - y).pow(2).mean().sqrt()
        print('epoch', epoch, 'neg elbo', loss.item(), 'rmse', rmse.item())
