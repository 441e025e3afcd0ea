"""Vectorised toy environment and the batch that a rollout yields."""
from dataclasses import dataclass

import torch


@dataclass
class Batch:
    log_probs: torch.Tensor
    values: torch.Tensor
    entropy: torch.Tensor
    advantages: torch.Tensor = None
    returns: torch.Tensor = None


class PointEnvs:
    """n points on a line; the action pushes left, none or right; the reward is nearness to the origin."""

    def __init__(self, n, seed=0):
        self.n = n
        self.g = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.x = torch.randn(self.n, generator=self.g)
        self.v = torch.zeros(self.n)
        return self.obs()

    def obs(self):
        return torch.stack([self.x, self.v, self.x.sign(), self.x * self.v], dim=1)

    def step(self, action):
        self.v = 0.9 * self.v + 0.1 * (action.float() - 1)
        self.x = self.x + self.v
        reward = -self.x.abs().clamp(max=3)
        done = (self.x.abs() > 4).float()
        self.x = torch.where(done > 0, torch.randn(self.n, generator=self.g), self.x)
        return self.obs(), reward, done


def gae(rewards, values, dones, last_value, gamma=0.97, lam=0.9):
    """Generalised advantage estimates, back to front. All inputs are (T, N)."""
    steps, running = [], torch.zeros_like(last_value)
    nxt = last_value
    for t in reversed(range(rewards.shape[0])):
        alive = 1 - dones[t]
        delta = rewards[t] + gamma * nxt * alive - values[t]
        running = delta + gamma * lam * alive * running
        steps.append(running)
        nxt = values[t]
    return torch.stack(steps[::-1])
