# gradwatch-corpus: kind=graph-chain
# holder: self.weights | learner.weights
# first-bad: 1
"""Identify a pendulum's friction law through a differentiable simulator."""
import torch

from learner import Learner
from physics import friction, rollout, true_friction


def observe(n):
    theta = 2.5 * (2 * torch.rand(n) - 1)
    omega = 3.0 * (2 * torch.rand(n) - 1)
    th1, om1 = rollout(theta, omega, true_friction)
    return theta, omega, th1 + 0.01 * torch.randn(n), om1 + 0.01 * torch.randn(n)


def evaluate(learner):
    grid = torch.linspace(-3, 3, 61)
    with torch.no_grad():
        return (friction(learner.weights, grid) - true_friction(grid)).abs().mean().item()


def main(iters=450):
    torch.manual_seed(5)
    learner = Learner()
    for i in range(iters):
        loss = learner.step(observe(48))
        if i % 90 == 0:
            print(f"{i:4d} nll {loss:.3f} friction error {evaluate(learner):.3f}")


if __name__ == "__main__":
    main()
