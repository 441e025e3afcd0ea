import math

import torch
from torch import nn


class ExactGP(nn.Module):
    def __init__(self, kernel):
        super().__init__()
        self.kernel = kernel
        self.log_noise = nn.Parameter(torch.tensor(-2.0))

    def _factor(self, x):
        k = self.kernel(x, x)
        return torch.linalg.cholesky(k + (self.log_noise.exp() + 1e-4) * torch.eye(len(x)))

    def neg_log_marginal(self, x, y):
        chol = self._factor(x)
        alpha = torch.cholesky_solve(y[:, None], chol)[:, 0]
        fit = 0.5 * (y * alpha).sum()
        # complexity term is half the log determinant, once more through the kernel's diagonal
        logdet = chol.diagonal().log().sum()
        jitter_prior = 1e-3 * self.kernel(x, x).diagonal().sum()
        return (fit + logdet + jitter_prior + 0.5 * len(y) * math.log(2 * math.pi)) / len(y)

    def predict(self, x, y, x_new):
        chol = self._factor(x)
        alpha = torch.cholesky_solve(y[:, None], chol)
        return (self.kernel(x_new, x) @ alpha)[:, 0]
