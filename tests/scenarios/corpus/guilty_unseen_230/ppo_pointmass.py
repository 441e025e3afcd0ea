# gradwatch-corpus: kind=second-backward
# holder: rollout.log_probs | self.log_probs | flat
# first-bad: 1
"""PPO on a batch of vectorised point-mass tasks."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.distributions import Independent, Normal


@dataclass
class PPOArgs:
    envs: int = 32
    length: int = 16
    epochs: int = 3
    minibatches: int = 2
    updates: int = 20
    clip: float = 0.2
    gamma: float = 0.95
    lr: float = 3e-4


@dataclass
class Rollout:
    observations: list[Tensor] = field(default_factory=list)
    actions: list[Tensor] = field(default_factory=list)
    log_probs: list[Tensor] = field(default_factory=list)
    rewards: list[Tensor] = field(default_factory=list)

    def add(self, obs: Tensor, action: Tensor, log_prob: Tensor, reward: Tensor) -> None:
        self.observations.append(obs)
        self.actions.append(action)
        self.log_probs.append(log_prob)  # <- culprit
        self.rewards.append(reward)

    def returns(self, gamma: float) -> Tensor:
        running = torch.zeros_like(self.rewards[0])
        out = []
        for reward in reversed(self.rewards):
            running = reward + gamma * running
            out.append(running)
        return torch.stack(out[::-1])

    def minibatches(self, gamma: float, parts: int) -> Iterator[tuple[Tensor, ...]]:
        flat = [  # <- culprit
            torch.cat(self.observations),
            torch.cat(self.actions),
            torch.cat(self.log_probs),
            self.returns(gamma).flatten(),
        ]
        for index in torch.randperm(len(flat[0])).chunk(parts):
            yield tuple(item[index] for item in flat)


class PointMass:
    def __init__(self, n: int) -> None:
        self.position = torch.randn(n, 2)
        self.velocity = torch.zeros(n, 2)

    def observe(self) -> Tensor:
        return torch.cat([self.position, self.velocity], dim=1)

    def step(self, force: Tensor) -> Tensor:
        self.velocity = 0.9 * self.velocity + 0.1 * force
        self.position = self.position + 0.1 * self.velocity
        return -self.position.norm(dim=1) - 0.01 * force.pow(2).sum(1)


class Agent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
        self.log_std = nn.Parameter(torch.full((2,), -0.5))
        self.value = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))

    def policy(self, obs: Tensor) -> Independent:
        return Independent(Normal(self.mean(obs), self.log_std.exp()), 1)


def collect(env: PointMass, agent: Agent, length: int) -> Rollout:
    rollout = Rollout()
    for _ in range(length):
        obs = env.observe()
        dist = agent.policy(obs)
        action = dist.sample()
        reward = env.step(action)
        rollout.add(obs, action, dist.log_prob(action), reward)  # <- culprit
    return rollout


def main(args: PPOArgs = PPOArgs()) -> None:
    torch.manual_seed(0)
    env = PointMass(args.envs)
    agent = Agent()
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.lr)
    for update in range(args.updates):
        rollout = collect(env, agent, args.length)
        for _ in range(args.epochs):
            for obs, action, old_log_prob, ret in rollout.minibatches(args.gamma, args.minibatches):
                value = agent.value(obs).squeeze(-1)
                advantage = ret - value.detach()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                ratio = (agent.policy(obs).log_prob(action) - old_log_prob).exp()
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                surrogate = torch.minimum(ratio * advantage, clipped * advantage).mean()
                loss = 0.5 * (value - ret).pow(2).mean() - surrogate
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        print(f"update {update} return {rollout.returns(args.gamma)[0].mean().item():.3f}")


if __name__ == "__main__":
    main()
