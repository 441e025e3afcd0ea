import torch
import torch.nn as nn
from torch.distributions import Categorical


class PolicyGradientAgent(nn.Module):
    def __init__(self, dim: int, arms: int, hidden: int = 32, entropy: float = 0.01):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, arms))
        self.entropy = entropy
        self.baseline = 0.0

    def forward(self, ctx: torch.Tensor) -> Categorical:
        return Categorical(logits=self.net(ctx))

    def loss(self, policy: Categorical, arm: torch.Tensor, reward: torch.Tensor) -> torch.Tensor:
        advantage = reward - self.baseline
        self.baseline = 0.95 * self.baseline + 0.05 * reward.mean().item()
        return -(policy.log_prob(arm) * advantage).mean() - self.entropy * policy.entropy().mean()
