"""The functional learner of the friction law."""
import math

import torch

from physics import friction, rollout


def fresh_weights(hidden):
    w = {
        "w1": torch.randn(hidden),
        "b1": 0.1 * torch.randn(hidden),
        "w2": 0.1 * torch.randn(hidden),
    }
    return {k: v.requires_grad_() for k, v in w.items()}


def nll(weights, log_sigma, batch):
    theta0, omega0, theta1, omega1 = batch
    theta, omega = rollout(theta0, omega0, lambda o: friction(weights, o))
    sq = (theta - theta1) ** 2 + (omega - omega1) ** 2
    return (0.5 * sq / (2 * log_sigma).exp() + 2 * log_sigma + math.log(2 * math.pi)).mean()


class Learner:
    def __init__(self, hidden=12, lr=1e-2):
        self.weights = fresh_weights(hidden)
        self.log_sigma = torch.zeros((), requires_grad=True)
        self.sigma_opt = torch.optim.Adam([self.log_sigma], lr=0.02)
        self.lr = lr

    def step(self, batch):
        loss = nll(self.weights, self.log_sigma, batch)
        names = list(self.weights)
        *gw, gs = torch.autograd.grad(loss, [self.weights[n] for n in names] + [self.log_sigma])
        self.weights = {n: self.weights[n] - self.lr * g.clamp(-5, 5) for n, g in zip(names, gw)}  # <- culprit
        self.log_sigma.grad = gs
        self.sigma_opt.step()
        with torch.no_grad():
            self.log_sigma.clamp_(min=-3.0)
        return loss.item()
