# gradwatch-corpus: kind=graph-held
# holder: self.episodes | self.store.episodes | learner.store.episodes
# first-bad: 1
"""Recurrent corridor-following policy for a wheeled base, actor-critic per episode."""
from dataclasses import dataclass
from dataclasses import field

import torch
from torch import nn
from torch.distributions import Normal


@dataclass
class PolicyConfig:
    sensors: int = 10
    hidden: int = 32
    horizon: int = 12
    episodes: int = 110
    gamma: float = 0.97
    lr: float = 2e-3


@dataclass
class Episode:
    log_probs: list = field(default_factory=list)
    values: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def total_reward(self):
        return sum(self.rewards)


class Corridor:
    def __init__(self, sensors):
        self.mount = torch.linspace(-1, 1, sensors)

    def reset(self):
        self.offset = torch.empty(1).uniform_(-1, 1).item()
        return self.observe()

    def observe(self):
        return torch.cos(3 * (self.mount - self.offset)) + 0.05 * torch.randn_like(self.mount)

    def drive(self, steer):
        self.offset = 0.95 * self.offset + 0.2 * steer
        return self.observe(), -abs(self.offset)


class RecurrentPolicy(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cell = nn.GRUCell(cfg.sensors, cfg.hidden)
        self.steer = nn.Linear(cfg.hidden, 1)
        self.value = nn.Linear(cfg.hidden, 1)
        self.log_std = nn.Parameter(torch.full((1,), -0.5))

    def forward(self, sensors, memory):
        memory = self.cell(sensors.unsqueeze(0), memory)
        dist = Normal(self.steer(memory).squeeze(0), self.log_std.exp())
        return dist, self.value(memory).squeeze(), memory


class EpisodeStore:
    def __init__(self):
        self.episodes = []

    def add(self, episode):
        self.episodes.append(episode)  # <- culprit

    def recent_return(self, count=20):
        recent = self.episodes[-count:]
        return sum(episode.total_reward() for episode in recent) / len(recent)


class Learner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.policy = RecurrentPolicy(cfg)
        self.store = EpisodeStore()
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=cfg.lr)

    def rollout(self, env):
        episode = Episode()
        memory = torch.zeros(1, self.cfg.hidden)
        sensors = env.reset()
        for _ in range(self.cfg.horizon):
            dist, value, memory = self.policy(sensors, memory)
            action = dist.sample()
            sensors, reward = env.drive(action.item())
            episode.log_probs.append(dist.log_prob(action).sum())  # <- culprit
            episode.values.append(value)  # <- culprit
            episode.rewards.append(reward)
        return episode

    def improve(self, episode):
        returns = []
        running = 0.0
        for reward in reversed(episode.rewards):
            running = reward + self.cfg.gamma * running
            returns.insert(0, running)
        returns = torch.tensor(returns)
        values = torch.stack(episode.values)
        advantage = returns - values.detach()
        actor = -(torch.stack(episode.log_probs) * advantage).mean()
        critic = nn.functional.smooth_l1_loss(values, returns)
        self.optimizer.zero_grad()
        (actor + 0.5 * critic).backward()
        self.optimizer.step()


def main():
    torch.manual_seed(8)
    cfg = PolicyConfig()
    env = Corridor(cfg.sensors)
    learner = Learner(cfg)
    for index in range(cfg.episodes):
        episode = learner.rollout(env)
        learner.improve(episode)
        learner.store.add(episode)  # <- culprit
        if index % 20 == 19:
            print(f"episode {index + 1:3d} return {learner.store.recent_return():.3f}")


if __name__ == "__main__":
    main()
