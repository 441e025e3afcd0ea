# gradwatch-corpus: kind=none
"""Episode-wise advantage actor-critic for a small elevator dispatcher."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

import torch
from torch import Tensor, nn
from torch.distributions import Categorical


@dataclass
class Trajectory:
    log_probs: list[Tensor] = field(default_factory=list)
    values: list[Tensor] = field(default_factory=list)
    entropies: list[Tensor] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)

    def clear(self) -> None:
        for column in (self.log_probs, self.values, self.entropies, self.rewards):
            column.clear()

    def targets(self, gamma: float) -> Tensor:
        acc = 0.0
        out: list[float] = []
        for r in reversed(self.rewards):
            acc = r + gamma * acc
            out.append(acc)
        return torch.tensor(out[::-1])


class Elevator:
    floors = 6

    def reset(self) -> Tensor:
        self.floor = 0
        self.waiting = (torch.rand(self.floors) < 0.4).float()
        return self.observe()

    def observe(self) -> Tensor:
        here = torch.zeros(self.floors)
        here[self.floor] = 1.0
        return torch.cat([here, self.waiting])

    def step(self, move: int) -> tuple[Tensor, float]:
        self.floor = min(max(self.floor + move - 1, 0), self.floors - 1)
        picked = self.waiting[self.floor].item()
        self.waiting[self.floor] = 0.0
        arrivals = (torch.rand(self.floors) < 0.05).float()
        self.waiting = torch.maximum(self.waiting, arrivals)
        return self.observe(), picked - 0.05 * self.waiting.sum().item()


class Dispatcher(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.memory = nn.GRUCell(12, 32)
        self.actor = nn.Linear(32, 3)
        self.critic = nn.Linear(32, 1)
        self.hidden: Tensor | None = None

    def begin(self) -> None:
        self.hidden = None

    def forward(self, obs: Tensor) -> tuple[Categorical, Tensor]:
        self.hidden = self.memory(obs.unsqueeze(0), self.hidden)
        return Categorical(logits=self.actor(self.hidden)[0]), self.critic(self.hidden)[0, 0]


class RunningBaseline:
    def __init__(self, decay: float = 0.9) -> None:
        self.decay = decay
        self.value: Tensor = torch.zeros(())

    def update(self, batch: Tensor) -> None:
        self.value = self.decay * self.value + (1 - self.decay) * batch.mean()


def play(env: Elevator, agent: Dispatcher, trajectory: Trajectory, length: int) -> None:
    obs = env.reset()
    agent.begin()
    for _ in range(length):
        dist, value = agent(obs)
        action = dist.sample()
        obs, reward = env.step(int(action))
        trajectory.log_probs.append(dist.log_prob(action))
        trajectory.entropies.append(dist.entropy())
        trajectory.values.append(value)
        trajectory.rewards.append(reward)


def main(episodes: int = 90, on_episode: Callable[[int, float], None] | None = None) -> None:
    torch.manual_seed(33)
    env = Elevator()
    agent = Dispatcher()
    optimizer = torch.optim.Adam(agent.parameters(), lr=5e-3)
    trajectory = Trajectory()
    scale = RunningBaseline()
    for episode in range(episodes):
        play(env, agent, trajectory, length=12)
        targets = trajectory.targets(0.95)
        scale.update(targets.abs())
        values = torch.stack(trajectory.values)
        advantage = (targets - values.detach()) / scale.value.clamp_min(0.1)
        policy_term = -(torch.stack(trajectory.log_probs) * advantage).mean()
        value_term = (values - targets).square().mean()
        loss = policy_term + 0.5 * value_term - 0.01 * torch.stack(trajectory.entropies).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if on_episode is not None:
            on_episode(episode, sum(trajectory.rewards))
        trajectory.clear()


if __name__ == "__main__":
    main(on_episode=lambda n, r: print(f"episode {n} return {r:.2f}") if n % 15 == 0 else None)
