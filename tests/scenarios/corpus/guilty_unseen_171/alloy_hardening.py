# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Fits a neural hardening law to tensile tests of several alloy batches with L-BFGS. A smoothness
penalty on the curve and a prior on the elastic moduli keep the fit physical."""
import torch
import torch.nn as nn


class TensileTests:
    """Strain ramps with noisy stress; one modulus per alloy batch."""

    def __init__(self, n_batches=6, n_points=60, seed=13):
        g = torch.Generator().manual_seed(seed)
        self.modulus = 60 + 25 * torch.rand(n_batches, generator=g)      # GPa
        self.strain = torch.linspace(0, 0.06, n_points).expand(n_batches, -1).contiguous()
        elastic = self.modulus[:, None] * self.strain
        yield_s = 0.35 + 0.9 * self.strain ** 0.5
        stress = torch.where(elastic < yield_s, elastic, yield_s + 0.05 * (elastic - yield_s))
        self.stress = stress + 0.005 * torch.randn(stress.shape, generator=g)

    def subset(self, n, g):
        cols = torch.randperm(self.strain.size(1), generator=g)[:n]
        return self.strain[:, cols], self.stress[:, cols]


class HardeningLaw(nn.Module):
    def __init__(self, n_batches, width=16):
        super().__init__()
        self.log_e = nn.Parameter(torch.full((n_batches,), 4.3))
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width),
                                 nn.Tanh(), nn.Linear(width, 1))

    def flow_stress(self, strain):
        return nn.functional.softplus(self.net(strain.unsqueeze(-1) * 30)).squeeze(-1)

    def forward(self, strain):
        trial = self.log_e.exp()[:, None] * strain
        flow = self.flow_stress(strain)
        sharp = 40.0
        return -torch.logsumexp(torch.stack([-sharp * trial, -sharp * flow]), dim=0) / sharp

    def curvature(self):
        eps = torch.linspace(0, 0.06, 25)
        f = self.flow_stress(eps)
        return (f[2:] - 2 * f[1:-1] + f[:-2]).pow(2).sum()

    def prior(self, centre=75.0, spread=25.0):
        return ((self.log_e.exp() - centre) / spread).pow(2).mean()


class Fitter:
    def __init__(self, tests, law, w_curve=5.0, w_prior=1e-3):
        self.tests, self.law = tests, law
        self.w_curve, self.w_prior = w_curve, w_prior
        self.opt = torch.optim.LBFGS(law.parameters(), lr=0.3, max_iter=4, history_size=8)
        self.g = torch.Generator().manual_seed(5)

    def outer_step(self):
        strain, stress = self.tests.subset(40, self.g)
        penalty = self.w_curve * self.law.curvature() + self.w_prior * self.law.prior()  # <- culprit

        def closure():
            self.opt.zero_grad()
            misfit = (self.law(strain) - stress).pow(2).mean()
            objective = misfit + penalty
            objective.backward()
            return objective

        return float(self.opt.step(closure))

    def fit(self, rounds):
        for r in range(rounds):
            value = self.outer_step()
            if r % 50 == 0:
                e = self.law.log_e.detach().exp()
                off = (e - self.tests.modulus).abs().mean().item()
                print(f"round {r:3d}: objective {value:.6f}  modulus error {off:.2f} GPa")


if __name__ == "__main__":
    torch.manual_seed(13)
    tests = TensileTests()
    law = HardeningLaw(len(tests.modulus))
    Fitter(tests, law).fit(rounds=400)
