# gradwatch-corpus: kind=second-backward
# holder: self.prior_sd | layer.prior_sd | self.a.prior_sd | net.a.prior_sd | self.b.prior_sd | net.b.prior_sd
# first-bad: 1
"""Soil moisture from spectral indices: variational Bayesian layers with a learned prior width per layer."""
import torch
from torch import nn
from torch.nn.functional import softplus


class VarLinear(nn.Module):
    def __init__(self, d, h, prior=0.5):
        super().__init__()
        self.loc = nn.Parameter(torch.randn(h, d) * 0.1)
        self.rho = nn.Parameter(torch.full((h, d), -4.0))
        self.bias = nn.Parameter(torch.zeros(h))
        self.prior_rho = nn.Parameter(torch.tensor(prior).expm1().log())
        self.prior_sd = softplus(self.prior_rho)  # <- culprit

    def forward(self, x):
        sd = softplus(self.rho)
        mean = x @ self.loc.T + self.bias
        var = (x * x) @ (sd * sd).T
        return mean + var.clamp(min=1e-8).sqrt() * torch.randn_like(mean)

    def divergence(self):
        sd = softplus(self.rho)
        ratio = (sd / self.prior_sd).square()
        return 0.5 * (ratio + (self.loc / self.prior_sd).square() - 1 - ratio.log()).sum()


class MoistureNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = VarLinear(7, 20), VarLinear(20, 1)

    def forward(self, x):
        return self.b(torch.relu(self.a(x))).squeeze(1)

    def kl(self):
        return sum(m.divergence() for m in self.modules() if isinstance(m, VarLinear))


def fields(n, g):
    x = torch.randn(n, 7, generator=g)
    return x, torch.tanh(x[:, 0] - 0.5 * x[:, 1]) + 0.1 * torch.randn(n, generator=g)


def run():
    torch.manual_seed(21)
    g = torch.Generator().manual_seed(21)
    net = MoistureNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for ep in range(250):
        x, y = fields(64, g)
        fit = (net(x) - y).square().mean() / (2 * 0.1)
        elbo = fit + net.kl() / 2000
        opt.zero_grad()
        elbo.backward()
        opt.step()
        if ep % 50 == 0:
            print(f"{ep:3d} -elbo {elbo.item():.3f} prior {net.a.prior_sd.item():.3f}")


if __name__ == "__main__":
    run()
