# gradwatch-corpus: kind=graph-chain
# holder: rollout.comp | self.comp
# first-bad: 1
"""Fit a mobility-dependent contact rate in a patch SEIR model, week by week."""
import torch

from epidemic import Rollout, seed_compartments
from observe import case_loglik, surveillance

SEED = 20
WEEKS = 90
N_PATCH = 12


def build_theta():
    gen = torch.Generator().manual_seed(SEED)
    w1 = 0.4 * torch.randn(3, 8, generator=gen)
    b1 = torch.zeros(8)
    w2 = 0.4 * torch.randn(8, 1, generator=gen)
    b2 = torch.full((1,), -0.5)
    return [t.requires_grad_() for t in (w1, b1, w2, b2)]


def main():
    torch.manual_seed(SEED)
    theta = build_theta()
    comp0 = seed_compartments(N_PATCH)
    rollout = Rollout(comp0, theta)
    data = surveillance(N_PATCH, comp0, WEEKS)
    velocity = [torch.zeros_like(t) for t in theta]
    for week, (mobility, cases) in enumerate(data):
        expected = rollout.advance_week(mobility)
        ll = case_loglik(expected, cases)
        penalty = sum((t ** 2).sum() for t in theta)
        objective = -ll + 1e-3 * penalty
        grads = torch.autograd.grad(objective, theta, retain_graph=True)
        total = torch.sqrt(sum((g ** 2).sum() for g in grads))
        scale = min(1.0, 2.0 / (float(total) + 1e-9))
        velocity = [0.8 * v + scale * g for v, g in zip(velocity, grads)]
        theta = [(t.detach() - 5e-3 * v).requires_grad_() for t, v in zip(theta, velocity)]
        rollout.theta = theta
        if week % 15 == 0:
            print(f"week {week:3d}  objective {objective.item():8.4f}  S/N {rollout.susceptible_share():.4f}")


if __name__ == "__main__":
    main()
