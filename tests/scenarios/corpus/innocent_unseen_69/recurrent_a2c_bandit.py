# gradwatch-corpus: kind=none
"""Advantage actor-critic with a recurrent policy on bandits whose best arm drifts."""
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn
from torch.distributions import Categorical

ARMS = 4


class DriftingBandits:
    def __init__(self, envs):
        self.value = torch.rand(envs, ARMS)

    def pull(self, arm):
        reward = self.value.gather(1, arm[:, None]).squeeze(1) + 0.05 * torch.randn(len(arm))
        self.value = (self.value + 0.03 * torch.randn_like(self.value)).clamp(0, 1)
        return reward


@dataclass
class Rollout:
    log_probs: List[torch.Tensor] = field(default_factory=list)
    values: List[torch.Tensor] = field(default_factory=list)
    rewards: List[torch.Tensor] = field(default_factory=list)
    entropies: List[torch.Tensor] = field(default_factory=list)

    def add(self, log_prob, value, reward, entropy):
        self.log_probs.append(log_prob)
        self.values.append(value)
        self.rewards.append(reward)
        self.entropies.append(entropy)

    def returns(self, last, gamma):
        out, acc = [], last
        for r in reversed(self.rewards):
            acc = r + gamma * acc
            out.append(acc)
        return torch.stack(out[::-1])

    def clear(self):
        for kept in (self.log_probs, self.values, self.rewards, self.entropies):
            kept.clear()


class Policy(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.width = width
        self.cell = nn.LSTMCell(ARMS + 1, width)
        self.actor = nn.Linear(width, ARMS)
        self.critic = nn.Linear(width, 1)

    def forward(self, obs, state):
        state = self.cell(obs, state)
        return Categorical(logits=self.actor(state[0])), self.critic(state[0]).squeeze(-1), state


class RewardScale:
    """Running spread of the rewards, in plain floats."""

    def __init__(self):
        self.mean, self.square = 0.0, 1.0

    def __call__(self, r):
        self.mean = 0.98 * self.mean + 0.02 * r.mean().item()
        self.square = 0.98 * self.square + 0.02 * r.pow(2).mean().item()
        return (r - self.mean) / max(self.square - self.mean ** 2, 1e-2) ** 0.5


class Learner:
    def __init__(self, envs=12, gamma=0.9):
        self.bandits, self.gamma = DriftingBandits(envs), gamma
        self.policy = Policy()
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=4e-3)
        self.scale, self.rollout = RewardScale(), Rollout()
        self.obs = torch.zeros(envs, ARMS + 1)
        self.state = (torch.zeros(envs, self.policy.width), torch.zeros(envs, self.policy.width))
        self.pay = []

    def collect(self, steps):
        for _ in range(steps):
            dist, value, self.state = self.policy(self.obs, self.state)
            arm = dist.sample()
            reward = self.bandits.pull(arm)
            self.pay.append(reward.mean().item())
            self.rollout.add(dist.log_prob(arm), value, self.scale(reward), dist.entropy())
            self.obs = torch.cat([nn.functional.one_hot(arm, ARMS).float(), reward[:, None]], dim=1)

    def learn(self):
        with torch.no_grad():
            _, last, _ = self.policy(self.obs, self.state)
        values = torch.stack(self.rollout.values)
        targets = self.rollout.returns(last, self.gamma)
        advantage = (targets - values).detach()
        actor = -(torch.stack(self.rollout.log_probs) * advantage).mean()
        critic = (targets - values).pow(2).mean()
        loss = actor + 0.5 * critic - 0.01 * torch.stack(self.rollout.entropies).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.opt.step()
        self.rollout.clear()
        self.state = tuple(s.detach() for s in self.state)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    learner = Learner()
    for update in range(200):
        learner.collect(steps=6 + update // 50)
        learner.learn()
        if update % 50 == 49:
            print(f"{update + 1}: mean pay {sum(learner.pay[-120:]) / 120:.3f}")


if __name__ == "__main__":
    main()
