# gradwatch-corpus: kind=none
"""Reaching with a planar two-link arm: actor-critic over short episodes, shared trunk."""
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.distributions import Normal


@dataclass(frozen=True)
class ReachConfig:
    arms: int = 32
    horizon: int = 8
    episodes: int = 90
    gamma: float = 0.95
    lr: float = 1e-3
    value_clip: float = 0.5


@dataclass
class Episode:
    log_probs: list[Tensor] = field(default_factory=list)
    values: list[Tensor] = field(default_factory=list)
    rewards: list[Tensor] = field(default_factory=list)

    def returns(self, gamma: float) -> Tensor:
        out: list[Tensor] = []
        acc = torch.zeros_like(self.rewards[0])
        for r in reversed(self.rewards):
            acc = r + gamma * acc
            out.append(acc)
        return torch.stack(out[::-1])

    def clear(self) -> None:
        self.log_probs.clear()
        self.values.clear()
        self.rewards.clear()


class ReachEnv:
    def __init__(self, n: int) -> None:
        self.n = n
        self.reset()

    def reset(self) -> Tensor:
        self.joints = torch.rand(self.n, 2) * 2 - 1
        self.goal = torch.rand(self.n, 2) + 0.3
        return self.observe()

    def tip(self) -> Tensor:
        a = self.joints[:, 0]
        b = self.joints.sum(dim=1)
        return torch.stack([a.cos() + b.cos(), a.sin() + b.sin()], dim=-1)

    def observe(self) -> Tensor:
        return torch.cat([self.joints, self.tip(), self.goal], dim=-1)

    def step(self, action: Tensor) -> tuple[Tensor, Tensor]:
        self.joints += 0.2 * action.clamp(-1, 1)
        reward = -(self.tip() - self.goal).norm(dim=-1)
        return self.observe(), reward


class ActorCritic(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(6, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.mean = nn.Linear(64, 2)
        self.value = nn.Linear(64, 1)
        self.log_std = nn.Parameter(torch.full((2,), -0.5))

    def forward(self, obs: Tensor) -> tuple[Normal, Tensor]:
        h = self.trunk(obs)
        return Normal(self.mean(h), self.log_std.exp()), self.value(h).squeeze(-1)


class Agent:
    def __init__(self, cfg: ReachConfig) -> None:
        self.cfg = cfg
        self.net = ActorCritic()
        self.optim = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.episode = Episode()
        self.baseline = torch.zeros(())

    def act(self, obs: Tensor) -> Tensor:
        dist, value = self.net(obs)
        action = dist.sample()
        self.episode.log_probs.append(dist.log_prob(action).sum(dim=-1))
        self.episode.values.append(value)
        return action

    def learn(self) -> tuple[float, float]:
        ret = self.episode.returns(self.cfg.gamma)
        values = torch.stack(self.episode.values)
        log_probs = torch.stack(self.episode.log_probs)
        self.baseline = 0.9 * self.baseline + 0.1 * ret.mean()
        advantage = ret - 0.5 * values.detach() - 0.5 * self.baseline
        policy_loss = -(log_probs * advantage).mean()
        value_loss = nn.functional.mse_loss(values, ret)
        self.optim.zero_grad()
        value_loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.net.parameters(), self.cfg.value_clip)
        policy_loss.backward()
        self.optim.step()
        self.episode.clear()
        return policy_loss.item(), value_loss.item()


if __name__ == "__main__":
    torch.manual_seed(33)
    config = ReachConfig()
    env = ReachEnv(config.arms)
    agent = Agent(config)
    for ep in range(config.episodes):
        obs = env.reset()
        for _ in range(config.horizon):
            obs, reward = env.step(agent.act(obs))
            agent.episode.rewards.append(reward)
        p, v = agent.learn()
        if ep % 15 == 0:
            print(f"episode {ep:3d}  policy {p:+.3f}  value {v:.3f}  baseline {agent.baseline.item():+.3f}")
