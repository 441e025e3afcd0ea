# gradwatch-corpus: kind=inplace-modified
# first-bad: 21
"""Alternating fit of a latent dynamics model and an amortised feedback law."""
import torch

from model import init, rollout_cost, one_step_error
from optim import Heavyball
from plant import trajectories

PLAN_FROM = 20


def iteration(k, data, dyn, law, opt_dyn, opt_law):
    fit = one_step_error(dyn, data)
    if k < PLAN_FROM:
        opt_dyn.step(torch.autograd.grad(fit, dyn))
        return fit.item(), float("nan")
    cost = rollout_cost(dyn, law, data.x0, horizon=6)  # <- culprit
    opt_dyn.step(torch.autograd.grad(fit, dyn))  # <- culprit
    opt_law.step(torch.autograd.grad(cost, law))  # <- culprit
    return fit.item(), cost.item()


def main():
    torch.manual_seed(9)
    dyn = init([6 + 2, 48, 6], gain=0.5)
    law = init([6, 24, 2], gain=0.3)
    opt_dyn = Heavyball(dyn, lr=0.02)
    opt_law = Heavyball(law, lr=0.005)
    for k, data in enumerate(trajectories(100, batch=48)):
        fit, cost = iteration(k, data, dyn, law, opt_dyn, opt_law)
        if k % 10 == 0:
            print(f"{k:3d} fit {fit:.4f} cost {cost:.3f}")


if __name__ == "__main__":
    main()
