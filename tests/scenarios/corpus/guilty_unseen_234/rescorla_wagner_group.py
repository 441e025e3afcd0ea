# gradwatch-corpus: kind=graph-chain
# holder: self.group_mean | fit.group_mean
# first-bad: 1
"""Hierarchical Rescorla-Wagner fit of a two-armed bandit experiment.

Subjects' learning rates and temperatures are shrunk towards a slowly moving
group estimate.
"""
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F

N_SUBJ = 24
N_TRIALS = 25
SWEEPS = 120


@dataclass
class Experiment:
    choices: torch.Tensor
    rewards: torch.Tensor

    @classmethod
    def simulate(cls, seed):
        rng = np.random.default_rng(seed)
        alpha = rng.beta(3, 6, N_SUBJ)
        beta = rng.gamma(6.0, 0.5, N_SUBJ)
        q = np.zeros((N_SUBJ, 2))
        choices = np.zeros((N_TRIALS, N_SUBJ), dtype=np.int64)
        rewards = np.zeros((N_TRIALS, N_SUBJ), dtype=np.float32)
        rows = np.arange(N_SUBJ)
        for t in range(N_TRIALS):
            p1 = 1.0 / (1.0 + np.exp(-beta * (q[:, 1] - q[:, 0])))
            c = (rng.random(N_SUBJ) < p1).astype(np.int64)
            r = (rng.random(N_SUBJ) < np.where(c == 1, 0.7, 0.3)).astype(np.float32)
            q[rows, c] += alpha * (r - q[rows, c])
            choices[t] = c
            rewards[t] = r
        return cls(torch.from_numpy(choices), torch.from_numpy(rewards))


class GroupFit:
    def __init__(self, experiment, shrink=0.2, inertia=0.1):
        self.x = experiment
        self.shrink = shrink
        self.inertia = inertia
        start = 0.3 * torch.randn(N_SUBJ, 2)
        self.theta = start.requires_grad_(True)
        self.group_mean = torch.zeros(2)
        self.optimizer = torch.optim.Adam([self.theta], lr=0.05)
        self.trace = {"nll": [], "spread": []}

    def nll(self):
        alpha = torch.sigmoid(self.theta[:, 0:1])
        beta = torch.exp(self.theta[:, 1])
        q = torch.zeros(N_SUBJ, 2)
        total = 0.0
        for t in range(N_TRIALS):
            logits = beta[:, None] * q
            chosen = self.x.choices[t]
            total = total + F.cross_entropy(logits, chosen, reduction="sum")
            mask = F.one_hot(chosen, 2).float()
            q = q + alpha * mask * (self.x.rewards[t][:, None] - q)
        return total / (N_SUBJ * N_TRIALS)

    def update_group(self):
        current = self.theta.mean(dim=0)  # <- culprit
        self.group_mean = torch.lerp(self.group_mean, current, self.inertia)  # <- culprit

    def sweep(self):
        self.update_group()
        nll = self.nll()
        spread = ((self.theta - self.group_mean) ** 2).mean()
        objective = nll + self.shrink * spread
        self.optimizer.zero_grad()
        objective.backward()
        self.optimizer.step()
        self.trace["nll"].append(nll.item())
        self.trace["spread"].append(spread.item())

    def converged(self, window=20, tol=1e-6):
        nll = self.trace["nll"]
        if len(nll) < 2 * window:
            return False
        recent = sum(nll[-window:]) / window
        earlier = sum(nll[-2 * window:-window]) / window
        return abs(earlier - recent) < tol


if __name__ == "__main__":
    torch.manual_seed(11)
    fit = GroupFit(Experiment.simulate(5))
    for sweep in range(SWEEPS):
        fit.sweep()
        if sweep % 30 == 0:
            print(f"sweep {sweep:3d}  nll {fit.trace['nll'][-1]:.4f}")
        if fit.converged():
            break
    print("group alpha", round(torch.sigmoid(fit.theta[:, 0]).mean().item(), 3))
    print("group beta", round(torch.exp(fit.theta[:, 1]).mean().item(), 3))
