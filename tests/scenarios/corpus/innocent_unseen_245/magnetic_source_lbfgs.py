# gradwatch-corpus: kind=none
"""Locating buried dipoles from magnetic profiles: L-BFGS with Hessian-based uncertainty."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.func import hessian


@dataclass
class Profile:
    x: torch.Tensor
    anomaly: torch.Tensor


@dataclass
class Solution:
    misfit: float
    evaluations: int
    depth: torch.Tensor


def dipole_anomaly(x, position, depth, moment):
    u = x.unsqueeze(-1) - position
    r2 = u.square() + depth.square()
    return (moment * (2 * depth.square() - u.square()) / r2.pow(2.5)).sum(dim=-1)


class DipoleModel(nn.Module):
    def __init__(self, n_sources, span):
        super().__init__()
        self.position = nn.Parameter(torch.linspace(0.2, 0.8, n_sources) * span)
        self.log_depth = nn.Parameter(torch.zeros(n_sources) + 0.3)
        self.moment = nn.Parameter(torch.ones(n_sources))

    def forward(self, x):
        return dipole_anomaly(x, self.position, self.log_depth.exp(), self.moment)


class Field:
    def __init__(self, n_sources, span, n_points):
        self.n_sources = n_sources
        self.span = span
        self.x = torch.linspace(0, span, n_points)

    def walk(self):
        base = torch.linspace(0.2, 0.8, self.n_sources) * self.span
        position = base + 0.4 * torch.randn(self.n_sources)
        depth = 1.0 + torch.rand(self.n_sources)
        moment = 0.5 + torch.rand(self.n_sources)
        clean = dipole_anomaly(self.x, position, depth, moment)
        return Profile(self.x, clean + 0.01 * torch.randn_like(clean))


class GradientTrace:
    """Records sizes of position gradients while one profile is being fitted."""

    def __init__(self, parameter):
        self.sizes = []
        self.handle = parameter.register_hook(self.note)

    def note(self, grad):
        self.sizes.append(grad.norm().item())

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.handle.remove()
        self.sizes.clear()


class ProfileFit:
    def __init__(self, n_sources, span):
        self.n_sources = n_sources
        self.span = span

    def solve(self, profile):
        model = DipoleModel(self.n_sources, self.span)
        optimizer = torch.optim.LBFGS(model.parameters(), max_iter=6, history_size=5, line_search_fn="strong_wolfe")

        def closure():
            optimizer.zero_grad()
            misfit = (model(profile.x) - profile.anomaly).square().mean()
            damping = 1e-3 * model.log_depth.square().mean()
            total = misfit + damping
            total.backward()
            return total

        with GradientTrace(model.position) as trace:
            value = optimizer.step(closure)
            evaluations = len(trace.sizes)
        return model, Solution(value.item(), evaluations, model.log_depth.detach().exp())

    def depth_sigma(self, model, profile, noise=0.01):
        position = model.position.detach()
        moment = model.moment.detach()

        def negative_log_likelihood(log_depth):
            predicted = dipole_anomaly(profile.x, position, log_depth.exp(), moment)
            return 0.5 * ((predicted - profile.anomaly) / noise).square().sum()

        curvature = hessian(negative_log_likelihood)(model.log_depth.detach())
        damped = curvature + 1.0 * torch.eye(self.n_sources)
        return torch.linalg.pinv(damped).diagonal().clamp(min=0).sqrt()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sources", type=int, default=4)
    parser.add_argument("--span", type=float, default=30.0)
    parser.add_argument("--points", type=int, default=150)
    parser.add_argument("--profiles", type=int, default=80)
    args = parser.parse_args()
    torch.manual_seed(61)
    survey = Field(args.sources, args.span, args.points)
    fit = ProfileFit(args.sources, args.span)
    solutions = []
    for number in range(args.profiles):
        profile = survey.walk()
        model, solution = fit.solve(profile)
        solutions.append(solution)
        if number % 20 == 0:
            sigma = fit.depth_sigma(model, profile)
            print(f"profile {number:3d}  misfit {solution.misfit:.5f}  calls {solution.evaluations}  sigma {sigma.mean():.4f}")
    depths = torch.stack([s.depth for s in solutions])
    print(f"median source depth {depths.median():.3f}")


if __name__ == "__main__":
    main()
