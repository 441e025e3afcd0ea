# gradwatch-corpus: kind=none
"""REINFORCE for the order quantity of a small warehouse: a simulator with state, an episode
recorder filled by a generator, one update an episode."""
from __future__ import annotations

import contextvars
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
from torch.distributions import Categorical

active_recorder: contextvars.ContextVar["Recorder"] = contextvars.ContextVar("recorder")


@dataclass
class Recorder:
    log_probs: list[Tensor] = field(default_factory=list)
    entropies: list[Tensor] = field(default_factory=list)
    rewards: list[Tensor] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)

    def add(self, dist: Categorical, action: Tensor) -> None:
        self.log_probs.append(dist.log_prob(action))
        self.entropies.append(dist.entropy())

    def flush(self, gamma: float) -> tuple[Tensor, Tensor, Tensor]:
        """The episode as tensors; the recorder is empty afterwards."""
        running, back = torch.zeros_like(self.rewards[0]), []
        for r in reversed(self.rewards):
            running = r + gamma * running
            back.append(running)
        self.returns.append(running.mean().item())
        out = torch.stack(self.log_probs), torch.stack(self.entropies), torch.stack(back[::-1])
        for store in (self.log_probs, self.entropies, self.rewards):
            store.clear()
        return out


class Warehouse:
    def __init__(self, lanes: int, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        self.lanes = lanes
        self.stock = torch.zeros(lanes)

    def reset(self) -> Tensor:
        self.stock = torch.full((self.lanes,), 5.0)
        return self.observe()

    def observe(self) -> Tensor:
        return torch.stack([self.stock / 10, (self.stock < 2).float()], 1)

    def order(self, quantity: Tensor) -> Tensor:
        demand = torch.poisson(torch.full((self.lanes,), 3.0), generator=self.gen)
        self.stock = (self.stock + quantity).clamp(max=20.0)
        sold = torch.minimum(self.stock, demand)
        self.stock -= sold
        return sold - 0.1 * self.stock - 0.2 * quantity


class Policy(nn.Module):
    def __init__(self, choices: int = 6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, choices))

    def act(self, obs: Tensor) -> Tensor:
        dist = Categorical(logits=self.net(obs))
        action = dist.sample()
        active_recorder.get().add(dist, action)
        return action


class Baseline:
    """Mean return per time step, smoothed."""

    def __init__(self, length: int, beta: float = 0.9):
        self.beta, self._value = beta, torch.zeros(length, 1)

    def __rsub__(self, returns: Tensor) -> Tensor:
        advantage = returns - self._value
        self._value = self._value + (1 - self.beta) * advantage.mean(1, keepdim=True)
        return advantage


def days(world: Warehouse, policy: Policy, length: int):
    obs = world.reset()
    for _ in range(length):
        reward = world.order(policy.act(obs).float())
        obs = world.observe()
        yield reward


def train(episodes: int = 220, length: int = 12) -> None:
    torch.manual_seed(41)
    world, policy, recorder = Warehouse(16, seed=4), Policy(), Recorder()
    baseline = Baseline(length)
    opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
    token = active_recorder.set(recorder)
    for episode in range(episodes):
        for reward in days(world, policy, length):
            recorder.rewards.append(reward)
        log_probs, entropies, returns = recorder.flush(gamma=0.95)
        loss = -(log_probs * (returns - baseline)).mean() - 0.01 * entropies.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if episode % 55 == 0:
            recent = recorder.returns[-25:]
            print(f"episode {episode:3d}: mean return {sum(recent) / len(recent):.2f}")
    active_recorder.reset(token)


if __name__ == "__main__":
    train()
