"""Sparse Gaussian process (deterministic training conditional)."""
import math

import torch
from torch import nn

from kernels import DeepRBF


class SparseGP(nn.Module):
    """DTC regression with a fixed set of inducing points.

    Factorising the inducing covariance is the expensive part, so the factor is
    renewed only every ``refresh_every`` evaluations.
    """

    def __init__(self, inducing, refresh_every=5, jitter=1e-3):
        super().__init__()
        self.register_buffer("z", inducing)
        self.kernel = DeepRBF(inducing.shape[1])
        self.log_noise = nn.Parameter(torch.tensor(-2.0))
        self.refresh_every = refresh_every
        self.jitter = jitter
        self._chol = None
        self._age = 0

    def inducing_factor(self):
        if self._chol is None or self._age >= self.refresh_every:
            kzz = self.kernel(self.z, self.z)
            eye = torch.eye(len(self.z))
            self._chol = torch.linalg.cholesky(kzz + self.jitter * eye)  # <- culprit
            self._age = 0
        self._age += 1
        return self._chol

    def neg_log_marginal(self, x, y):
        """Woodbury form of the DTC marginal likelihood, per point."""
        lz = self.inducing_factor()
        noise = self.log_noise.exp()
        a = torch.linalg.solve_triangular(lz, self.kernel(self.z, x), upper=False)
        a = a / noise.sqrt()
        lb = torch.linalg.cholesky(torch.eye(len(self.z)) + a @ a.T)
        c = torch.linalg.solve_triangular(lb, a @ y[:, None], upper=False) / noise.sqrt()
        n = len(y)
        quad = y.square().sum() / noise - c.square().sum()
        logdet = 2.0 * lb.diagonal().log().sum() + n * noise.log()
        return 0.5 * (quad + logdet + n * math.log(2 * math.pi)) / n
