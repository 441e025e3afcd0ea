# gradwatch-corpus: kind=none
"""REINFORCE with an entropy bonus for a picker robot; one update an episode, elite replay for imitation."""
from __future__ import annotations

import heapq
import random
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.distributions import Categorical
import torch.nn.functional as F


class Aisle:
    def __init__(self, length: int) -> None:
        self.length = length
        self.reset()

    def reset(self) -> Tensor:
        self.pos = random.randrange(self.length)
        self.goal = random.randrange(self.length)
        self.age = 0
        return self.encode()

    def encode(self) -> Tensor:
        x = torch.zeros(2, self.length)
        x[0, self.pos] = 1
        x[1, self.goal] = 1
        return x.flatten()

    def step(self, action: int) -> tuple[Tensor, float, bool]:
        self.age += 1
        self.pos = min(self.length - 1, max(0, self.pos + action - 1))
        done = self.pos == self.goal or self.age >= 12
        return self.encode(), (1.0 if self.pos == self.goal else -0.1), done


@dataclass
class Episode:
    log_probs: list[Tensor] = field(default_factory=list)
    entropies: list[Tensor] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    observations: list[Tensor] = field(default_factory=list)
    actions: list[Tensor] = field(default_factory=list)

    def returns(self, gamma: float) -> Tensor:
        out, g = [], 0.0
        for r in reversed(self.rewards):
            g = r + gamma * g
            out.append(g)
        return torch.tensor(out[::-1])


class EliteReplay:
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.heap: list[tuple[float, int, Tensor, Tensor]] = []
        self.counter = 0

    def offer(self, ep: Episode) -> None:
        self.counter += 1
        row = (sum(ep.rewards), self.counter, torch.stack(ep.observations), torch.stack(ep.actions))
        if len(self.heap) < self.capacity:
            heapq.heappush(self.heap, row)
        else:
            heapq.heappushpop(self.heap, row)

    def sample(self) -> tuple[Tensor, Tensor]:
        _, _, obs, act = random.choice(self.heap)
        return obs, act


class Picker:
    def __init__(self, obs: int) -> None:
        self.net = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, 3))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.episode = Episode()
        self.baseline = 0.0

    def act(self, obs: Tensor) -> int:
        dist = Categorical(logits=self.net(obs))
        action = dist.sample()
        self.episode.log_probs.append(dist.log_prob(action))
        self.episode.entropies.append(dist.entropy())
        self.episode.observations.append(obs)
        self.episode.actions.append(action)
        return int(action)

    def learn(self, replay: EliteReplay) -> float:
        ep = self.episode
        returns = ep.returns(0.95)
        advantage = returns - self.baseline
        self.baseline = 0.9 * self.baseline + 0.1 * returns[0].item()
        loss = -(torch.stack(ep.log_probs) * advantage).sum() - 0.01 * torch.stack(ep.entropies).sum()
        if replay.heap:
            obs, act = replay.sample()
            loss = loss + 0.1 * F.cross_entropy(self.net(obs), act)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        replay.offer(ep)
        self.episode = Episode()
        return sum(ep.rewards)


def main() -> None:
    torch.manual_seed(4)
    random.seed(4)
    env = Aisle(9)
    picker = Picker(18)
    replay = EliteReplay(16)
    scores = []
    for episode in range(150):
        obs, done = env.reset(), False
        while not done:
            action = picker.act(obs)
            obs, reward, done = env.step(action)
            picker.episode.rewards.append(reward)
        scores.append(picker.learn(replay))
        if episode % 50 == 49:
            print(episode + 1, "mean return", sum(scores[-50:]) / 50)


if __name__ == "__main__":
    main()
