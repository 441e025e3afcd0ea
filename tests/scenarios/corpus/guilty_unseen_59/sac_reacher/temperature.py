"""Automatic entropy temperature."""
import math

import torch


class TemperatureTuner:
    """Moves log(alpha) so that the policy's entropy follows `target`."""

    def __init__(self, target, init=0.1, lr=3e-3, tune_after=0):
        self.log_alpha = torch.tensor(math.log(init), requires_grad=True)
        self.optimizer = torch.optim.Adam([self.log_alpha], lr=lr)
        self.target = target
        self.tune_after = tune_after

    @property
    def alpha(self):
        return self.log_alpha.exp().item()

    def update(self, log_prob, n_updates):
        if n_updates < self.tune_after:
            return
        gap = log_prob + self.target
        loss = -(self.log_alpha * gap).mean()  # <- culprit
        self.optimizer.zero_grad()
        loss.backward()  # <- culprit
        self.optimizer.step()
