import torch
import torch.nn as nn
from torch.distributions import MultivariateNormal


class FullCovPrior(nn.Module):
    """p(z) = N(mu, L L^T + eps I); both mu and L are learned together with the decoder."""

    def __init__(self, dim, jitter=1e-3):
        super().__init__()
        self.mu = nn.Parameter(torch.zeros(dim))
        self.factor = nn.Parameter(torch.eye(dim) + 0.05 * torch.randn(dim, dim))
        self.jitter = jitter
        self.dist = None

    def build(self):
        dim = self.mu.numel()
        cov = self.factor @ self.factor.T + self.jitter * torch.eye(dim)
        self.dist = MultivariateNormal(self.mu, covariance_matrix=cov)  # <- culprit
        return self

    def log_prob(self, z):
        return self.dist.log_prob(z)

    @torch.no_grad()
    def sample(self, n):
        return self.dist.sample((n,))
