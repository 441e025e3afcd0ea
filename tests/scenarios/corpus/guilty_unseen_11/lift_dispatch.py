# gradwatch-corpus: kind=graph-held
# holder: self.ring | memory.ring | agent.memory.ring | self.memory.ring | Call.logp | call.logp | self.memory | agent.memory | ring
# first-bad: 1
"""Off-policy dispatch of four lifts: which cabin takes the call.  Clipped importance weights on replayed calls."""
from __future__ import annotations

import random
from collections import deque
from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Categorical

CABINS, FLOORS = 4, 20


class Call(NamedTuple):
    obs: torch.Tensor
    cabin: torch.Tensor
    logp: torch.Tensor
    reward: torch.Tensor


class Building:
    """A column of simulated buildings, all answered at once."""

    def __init__(self, towers: int, seed: int):
        self.towers = towers
        self.gen = torch.Generator().manual_seed(seed)
        self.position = torch.randint(0, FLOORS, (towers, CABINS), generator=self.gen).float()

    def observe(self) -> torch.Tensor:
        self.floor = torch.randint(0, FLOORS, (self.towers, 1), generator=self.gen).float()
        self.load = torch.rand(self.towers, CABINS, generator=self.gen)
        gap = (self.position - self.floor).abs()
        return torch.cat([gap / FLOORS, self.load, self.floor / FLOORS], dim=1)

    def answer(self, cabin: torch.Tensor) -> torch.Tensor:
        pick = cabin.unsqueeze(1)
        wait = (self.position.gather(1, pick) - self.floor).abs() / FLOORS
        full = (self.load.gather(1, pick) > 0.85).float()
        self.position.scatter_(1, pick, torch.randint(0, FLOORS, (self.towers, 1), generator=self.gen).float())
        return -(wait + 0.5 * full).squeeze(1)


class CallMemory:
    def __init__(self, capacity: int = 20_000, seed: int = 0):
        self.ring: deque[Call] = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def add(self, *fields: torch.Tensor) -> None:
        self.ring.append(Call(*fields))  # <- culprit

    def draw(self, k: int) -> Call:
        picked = [self.rng.choice(self.ring) for _ in range(k)]
        obs, cabin, logp, reward = zip(*picked)
        return Call(torch.cat(obs), torch.cat(cabin), torch.cat(logp).detach(), torch.cat(reward))


class Dispatcher(nn.Module):
    def __init__(self, obs_dim: int = 2 * CABINS + 1, hidden: int = 40):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.policy = nn.Linear(hidden, CABINS)
        self.value = nn.Linear(hidden, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return Categorical(logits=self.policy(z)), self.value(z).squeeze(1)


class Agent:
    def __init__(self, seed: int = 0, lr: float = 1e-3):
        self.net = Dispatcher()
        self.memory = CallMemory(seed=seed)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

    def act(self, building: Building) -> float:
        obs = building.observe()
        dist, _ = self.net(obs)  # <- culprit
        cabin = dist.sample()
        reward = building.answer(cabin)
        self.memory.add(obs, cabin, dist.log_prob(cabin), reward)  # <- culprit
        return reward.mean().item()

    def learn(self, k: int = 4) -> float:
        calls = self.memory.draw(k)
        dist, value = self.net(calls.obs)
        advantage = calls.reward - value.detach()
        ratio = (dist.log_prob(calls.cabin) - calls.logp).exp()
        clipped = ratio.clamp(0.7, 1.3)
        actor = -torch.min(ratio * advantage, clipped * advantage).mean()
        critic = (value - calls.reward).pow(2).mean()
        loss = actor + 0.5 * critic - 0.01 * dist.entropy().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main(iterations: int = 300) -> None:
    torch.manual_seed(12)
    building, agent = Building(towers=16, seed=1), Agent(seed=2)
    window: deque[float] = deque(maxlen=50)
    for it in range(iterations):
        window.append(agent.act(building))
        loss = agent.learn()
        if it % 60 == 59:
            print(f"iteration {it + 1:4d}  reward {sum(window) / len(window):+.3f}  loss {loss:+.4f}")


if __name__ == "__main__":
    main()
