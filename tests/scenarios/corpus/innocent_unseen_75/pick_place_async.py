# gradwatch-corpus: kind=none
"""Actor-critic for a 2-D gripper; several simulated robots are rolled out concurrently on an event loop."""
from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.distributions import Normal


@dataclass
class Params:
    robots: int = 3
    horizon: int = 7
    updates: int = 150
    gamma: float = 0.95
    lr: float = 4e-3
    entropy: float = 1e-3


@dataclass
class Episode:
    log_probs: list[Tensor] = field(default_factory=list)
    values: list[Tensor] = field(default_factory=list)
    entropies: list[Tensor] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)

    def returns(self, gamma: float) -> Tensor:
        acc, out = 0.0, []
        for r in reversed(self.rewards):
            acc = r + gamma * acc
            out.append(acc)
        return torch.tensor(out[::-1])


class ActorCritic(nn.Module):
    def __init__(self, obs: int = 4, act: int = 2, width: int = 24) -> None:
        super().__init__()
        self.core = nn.GRUCell(obs, width)
        self.mean = nn.Linear(width, act)
        self.log_std = nn.Parameter(torch.full((act,), -1.0))
        self.value = nn.Linear(width, 1)

    def forward(self, obs: Tensor, h: Tensor | None) -> tuple[Normal, Tensor, Tensor]:
        h = self.core(obs.unsqueeze(0), h)
        return Normal(self.mean(h[0]), self.log_std.exp()), self.value(h[0]).squeeze(-1), h


class Gripper:
    def __init__(self, seed: int) -> None:
        self.gen = torch.Generator().manual_seed(seed)

    async def reset(self) -> Tensor:
        await asyncio.sleep(0)
        self.pos = torch.zeros(2)
        self.goal = torch.rand(2, generator=self.gen) * 2 - 1
        return torch.cat([self.pos, self.goal])

    async def act(self, command: Tensor) -> tuple[Tensor, float]:
        await asyncio.sleep(0)
        self.pos = (self.pos + 0.3 * command).clamp(-2, 2)
        return torch.cat([self.pos, self.goal]), -(self.pos - self.goal).norm().item()


class Robot:
    """A gripper together with the memory and the record of its running episode."""

    def __init__(self, seed: int, net: ActorCritic) -> None:
        self.env, self.net = Gripper(seed), net
        self.hidden: Tensor | None = None
        self.episode = Episode()
        self.best = float("-inf")

    async def rollout(self, horizon: int) -> Episode:
        self.hidden, self.episode = None, Episode()
        obs = await self.env.reset()
        for _ in range(horizon):
            dist, value, self.hidden = self.net(obs, self.hidden)
            command = dist.sample()
            self.episode.log_probs.append(dist.log_prob(command).sum())
            self.episode.entropies.append(dist.entropy().sum())
            self.episode.values.append(value)
            obs, reward = await self.env.act(command)
            self.episode.rewards.append(reward)
        self.best = max(self.best, sum(self.episode.rewards))
        return self.episode


class Learner:
    def __init__(self, p: Params) -> None:
        self.p = p
        self.net = ActorCritic()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=p.lr)
        self.fleet = [Robot(s, self.net) for s in range(p.robots)]
        self.curve: list[float] = []

    def objective(self, episodes: list[Episode]) -> Tensor:
        total = torch.zeros(())
        for ep in episodes:
            values = torch.stack(ep.values)
            target = ep.returns(self.p.gamma)
            advantage = target - values.detach()
            policy = -(torch.stack(ep.log_probs) * advantage).mean()
            bonus = torch.stack(ep.entropies).mean()
            total = total + policy + 0.5 * F.mse_loss(values, target) - self.p.entropy * bonus
        return total / len(episodes)

    async def learn(self) -> None:
        for update in range(self.p.updates):
            episodes = await asyncio.gather(*(r.rollout(self.p.horizon) for r in self.fleet))
            loss = self.objective(list(episodes))
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.opt.step()
            self.curve.append(sum(sum(e.rewards) for e in episodes) / len(episodes))
            if (update + 1) % 50 == 0:
                print(f"update {update + 1}: return {sum(self.curve[-50:]) / 50:.3f}")
        print("best per robot", [round(r.best, 2) for r in self.fleet])


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    asyncio.run(Learner(Params()).learn())
