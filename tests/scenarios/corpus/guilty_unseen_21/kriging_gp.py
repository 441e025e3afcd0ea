# gradwatch-corpus: kind=second-backward
# holder: self._factor | field._factor | gp._factor | self.gp._factor
# first-bad: 1
"""Maximum-likelihood kriging of borehole grades: anisotropic Matern covariance, trend by
generalised least squares. Script for the regional case study of the thesis."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(123)
torch.set_default_dtype(torch.float64)

N_HOLES = 60
ITERS = 240
LR = 0.03
RELOAD_EVERY = 20       # a new subset of the assays


# ---------------------------------------------------------------- assays
def borehole_grid(n):
    return torch.rand(n, 3) * torch.tensor([4.0, 3.0, 0.6])


def true_grade(x):
    return 1.2 + 0.3 * x[:, 0] - 0.5 * x[:, 2] + 0.6 * torch.sin(1.7 * x[:, 0]) * torch.cos(1.1 * x[:, 1])


ALL_X = borehole_grid(400)
ALL_Y = true_grade(ALL_X) + 0.1 * torch.randn(400)


def subset(k):
    g = torch.Generator().manual_seed(1000 + k)
    pick = torch.randperm(len(ALL_X), generator=g)[:N_HOLES]
    return ALL_X[pick], ALL_Y[pick]


# ---------------------------------------------------------------- covariance
class Matern32(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw_range = nn.Parameter(torch.zeros(3))
        self.raw_sill = nn.Parameter(torch.zeros(()))
        self.raw_nugget = nn.Parameter(torch.tensor(-2.0))

    @property
    def ranges(self):
        return F.softplus(self.raw_range) + 0.05

    def forward(self, x):
        z = x / self.ranges
        d2 = (z[:, None] - z[None, :]).pow(2).sum(-1)
        d = (d2 + 1e-9).sqrt() * math.sqrt(3)
        k = F.softplus(self.raw_sill) * (1 + d) * torch.exp(-d)
        return k + (F.softplus(self.raw_nugget) + 1e-6) * torch.eye(len(x))


class KrigingField(nn.Module):
    def __init__(self, covariance):
        super().__init__()
        self.covariance = covariance
        self.x = self.y = None
        self._factor = None

    def condition_on(self, x, y):
        self.x, self.y = x, y
        self._factor = None

    def factor(self):
        """Cholesky factor of the data covariance (the expensive part)."""
        if self._factor is None:
            self._factor = torch.linalg.cholesky(self.covariance(self.x))  # <- culprit
        return self._factor

    def trend(self):
        design = torch.cat([torch.ones(len(self.x), 1), self.x], 1)
        white = torch.linalg.solve_triangular(self.factor(), design, upper=False)
        target = torch.linalg.solve_triangular(self.factor(), self.y[:, None], upper=False)
        beta = torch.linalg.solve(white.T @ white + 1e-8 * torch.eye(4), white.T @ target)
        return (design @ beta).squeeze(1), beta.squeeze(1)

    def nll(self):
        mean, _ = self.trend()
        resid = (self.y - mean)[:, None]
        white = torch.linalg.solve_triangular(self.factor(), resid, upper=False)
        logdet = self.factor().diagonal().log().sum()
        return 0.5 * white.pow(2).sum() + logdet + 0.5 * len(self.y) * math.log(2 * math.pi)


def log_prior(cov):
    """Weak log-normal prior on the ranges, so that the vertical one does not run away."""
    return -0.5 * (cov.ranges.log() / 1.5).pow(2).sum()


def main():
    gp = KrigingField(Matern32())
    opt = torch.optim.Adam(gp.parameters(), lr=LR)
    trace = []
    for it in range(ITERS):
        if it % RELOAD_EVERY == 0:
            gp.condition_on(*subset(it // RELOAD_EVERY))
        loss = gp.nll() / N_HOLES - log_prior(gp.covariance) / N_HOLES
        opt.zero_grad()
        loss.backward()
        opt.step()
        trace.append(loss.item())
        if it % 40 == 0:
            ranges = [round(v, 3) for v in gp.covariance.ranges.tolist()]
            print(f"{it:4d}  nll per hole {trace[-1]:.4f}  ranges {ranges}")

    with torch.no_grad():
        gp.condition_on(*subset(0))
        _, beta = gp.trend()
    print("trend coefficients", [round(v, 3) for v in beta.tolist()])


if __name__ == "__main__":
    main()
