# gradwatch-corpus: kind=graph-chain
# holder: self.sigma2 | model.sigma2
# first-bad: 1
"""Online GARCH(1,1) with a leverage term, re-estimated on each arriving week of returns."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Spec:
    weeks: int = 100
    days: int = 5
    assets: int = 12
    lr: float = 0.01


class GJRGarch(nn.Module):
    def __init__(self, assets):
        super().__init__()
        self.raw_omega = nn.Parameter(torch.full((assets,), -3.0))
        self.raw_alpha = nn.Parameter(torch.full((assets,), -2.5))
        self.raw_gamma = nn.Parameter(torch.full((assets,), -3.0))
        self.raw_beta = nn.Parameter(torch.full((assets,), 1.5))
        self.sigma2 = torch.full((assets,), 0.5)

    def coefficients(self):
        omega = torch.exp(self.raw_omega)
        alpha = torch.sigmoid(self.raw_alpha)
        gamma = torch.sigmoid(self.raw_gamma)
        beta = torch.sigmoid(self.raw_beta)
        return omega, alpha, gamma, beta

    def forward(self, returns):
        omega, alpha, gamma, beta = self.coefficients()
        s2 = self.sigma2
        nll = 0.0
        for r in returns:
            nll = nll + 0.5 * (torch.log(s2) + r.pow(2) / s2).mean()
            shock = (alpha + gamma * (r < 0).float()) * r.pow(2)
            s2 = omega + shock + beta * s2
        self.sigma2 = s2  # <- culprit
        return nll / len(returns)


def simulate(spec, gen):
    s2 = torch.full((spec.assets,), 0.6)
    weeks = []
    for _ in range(spec.weeks):
        days = []
        for _ in range(spec.days):
            r = s2.sqrt() * torch.randn(spec.assets, generator=gen)
            s2 = 0.05 + 0.08 * r.pow(2) + 0.85 * s2
            days.append(r)
        weeks.append(torch.stack(days))
    return weeks


def describe(model):
    with torch.no_grad():
        omega, alpha, gamma, beta = model.coefficients()
        persistence = alpha + 0.5 * gamma + beta
    return f"omega={omega.mean():.3f} persistence={persistence.mean():.3f}"


def estimate(spec):
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(12)
    weeks = simulate(spec, gen)
    model = GJRGarch(spec.assets)
    opt = torch.optim.Adam(model.parameters(), lr=spec.lr)
    for w, returns in enumerate(weeks):
        opt.zero_grad()
        nll = model(returns)
        nll.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if w % 20 == 0:
            print(f"week {w:3d} nll {nll.item():.4f} {describe(model)}")
    return model


if __name__ == "__main__":
    fitted = estimate(Spec())
    print(describe(fitted))
