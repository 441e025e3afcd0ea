# gradwatch-corpus: kind=second-backward
# holder: self.chol | noise.chol | fit.noise.chol
# first-bad: 1
"""Variational sinusoid fit to radial velocities with correlated stellar noise."""
import torch
from torch.distributions import Normal, kl_divergence

N = 60


class StellarNoise:
    """Squared-exponential covariance over the observing epochs."""

    def __init__(self, times, jitter):
        self.log_amp = torch.tensor(0.0, requires_grad=True)
        self.log_tau = torch.tensor(1.0, requires_grad=True)
        self.times = times
        self.jitter = jitter
        self.chol = self.factorise()  # <- culprit

    def factorise(self):
        lag = self.times[:, None] - self.times[None, :]
        k = torch.exp(2 * self.log_amp - 0.5 * (lag / self.log_tau.exp()) ** 2)
        return torch.linalg.cholesky(k + self.jitter * torch.eye(N))

    def log_prob(self, resid):
        z = torch.linalg.solve_triangular(self.chol, resid.T, upper=False)  # <- culprit
        logdet = torch.log(torch.diagonal(self.chol)).sum()
        return -0.5 * (z ** 2).sum(dim=0) - logdet


class RadialVelocity:
    def __init__(self, seed):
        g = torch.Generator().manual_seed(seed)
        self.t = torch.sort(20.0 * torch.rand(N, generator=g)).values
        planet = 3.0 * torch.sin(2 * torch.pi * self.t / 4.2 + 0.4)
        star = torch.sin(self.t / 2.5)
        self.v = planet + star + 0.5 * torch.randn(N, generator=g)


class VariationalFit:
    def __init__(self, data, samples):
        self.data = data
        self.samples = samples
        self.noise = StellarNoise(data.t, jitter=0.25)
        self.mean = torch.tensor([1.0, 0.0, 0.0], requires_grad=True)
        self.log_sd = torch.full((3,), -1.5, requires_grad=True)
        self.prior = Normal(torch.zeros(3), torch.tensor([5.0, 5.0, 2.0]))
        groups = [
            {"params": [self.mean, self.log_sd], "lr": 0.05},
            {"params": [self.noise.log_amp, self.noise.log_tau], "lr": 0.01},
        ]
        self.opt = torch.optim.Adam(groups)
        self.elbo = []

    def predict(self, theta):
        angle = 2 * torch.pi * self.data.t / 4.2
        a = theta[:, 0:1] * torch.sin(angle)
        b = theta[:, 1:2] * torch.cos(angle)
        return a + b + theta[:, 2:3]

    def step(self):
        q = Normal(self.mean, self.log_sd.exp())
        theta = q.rsample((self.samples,))
        loglik = self.noise.log_prob(self.data.v - self.predict(theta)).mean()
        elbo = loglik - kl_divergence(q, self.prior).sum()
        self.opt.zero_grad()
        (-elbo / N).backward()
        self.opt.step()
        self.elbo.append(elbo.item())


if __name__ == "__main__":
    torch.manual_seed(51)
    fit = VariationalFit(RadialVelocity(9), samples=8)
    for it in range(150):
        fit.step()
        if it % 30 == 0:
            print(f"{it:4d}  elbo {fit.elbo[-1]:.3f}")
    print("semi-amplitude", fit.mean[:2].norm().item())
