# gradwatch-corpus: kind=graph-chain
# holder: self.level | policy.level | self.policy.level | agent.policy.level
# first-bad: 1
"""Policy-gradient contextual bandit for banner placement whose per-arm level follows a learned
trend, to keep up with audiences that drift over the day."""
import math

import torch
from torch import nn
from torch.distributions import Categorical

ARMS, CONTEXT, BATCH, ROUNDS = 6, 10, 64, 400


class DriftingAudience:
    """Click probabilities that move slowly with the hour."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.taste = torch.randn(CONTEXT, ARMS, generator=self.gen) * 0.6
        self.phase = torch.arange(ARMS) * 2 * math.pi / ARMS
        self.hour = 0.0

    def contexts(self):
        self.hour += 0.01
        return torch.randn(BATCH, CONTEXT, generator=self.gen)

    def clicks(self, ctx, arms):
        logit = ctx @ self.taste + torch.sin(self.hour + self.phase) - 0.5
        p = torch.sigmoid(logit.gather(1, arms[:, None]).squeeze(1))
        return (torch.rand(BATCH, generator=self.gen) < p).float()

    def best(self, ctx):
        logit = ctx @ self.taste + torch.sin(self.hour + self.phase) - 0.5
        return torch.sigmoid(logit).max(1).values.mean().item()


class TrendPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(CONTEXT, 24), nn.Tanh(), nn.Linear(24, ARMS))
        self.trend = nn.Parameter(torch.zeros(ARMS))
        self.level = torch.zeros(ARMS)

    def advance(self):
        self.level = self.level + self.trend  # <- culprit

    def forward(self, ctx):
        return Categorical(logits=self.features(ctx) + self.level)


class Agent:
    def __init__(self, policy):
        self.policy = policy
        self.optimizer = torch.optim.SGD([
            {"params": policy.features.parameters(), "lr": 0.2},
            {"params": [policy.trend], "lr": 1e-4},
        ])
        self.baseline = 0.0
        self.entropy_bonus = 0.02

    def act(self, ctx):
        self.policy.advance()
        dist = self.policy(ctx)
        return dist, dist.sample()

    def learn(self, dist, arms, reward):
        advantage = reward - self.baseline
        loss = -(advantage * dist.log_prob(arms)).mean() - self.entropy_bonus * dist.entropy().mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([self.policy.trend], 1.0)
        self.optimizer.step()
        self.baseline += 0.05 * (reward.mean().item() - self.baseline)
        return loss.item()


def main():
    torch.manual_seed(90)
    torch.set_num_threads(1)
    audience = DriftingAudience(seed=91)
    agent = Agent(TrendPolicy())
    clicks = regret = 0.0
    for round_ in range(ROUNDS):
        ctx = audience.contexts()
        dist, arms = agent.act(ctx)
        reward = audience.clicks(ctx, arms)
        loss = agent.learn(dist, arms, reward)
        clicks += reward.mean().item()
        regret += audience.best(ctx) - reward.mean().item()
        if (round_ + 1) % 100 == 0:
            print(f"round {round_ + 1:4d}  ctr {clicks / (round_ + 1):.3f}  "
                  f"regret {regret:.1f}  loss {loss:+.3f}")


if __name__ == "__main__":
    main()
