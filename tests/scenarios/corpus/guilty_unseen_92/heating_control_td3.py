# gradwatch-corpus: kind=second-backward
# holder: z
# first-bad: 1
# notice: 0
"""Building heating control: twin critics and a delayed deterministic actor on a shared encoder."""
from __future__ import annotations

import copy
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class TD3Config:
    obs: int = 8
    latent: int = 16
    steps: int = 240
    batch: int = 32
    gamma: float = 0.95
    tau: float = 0.02
    policy_delay: int = 2
    seed: int = 4


@dataclass
class Transition:
    obs: Tensor
    action: Tensor
    reward: Tensor
    next_obs: Tensor


def mlp(n_in: int, n_out: int, hidden: int = 24) -> nn.Sequential:
    return nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Linear(hidden, n_out))


class Networks(nn.Module):
    def __init__(self, cfg: TD3Config) -> None:
        super().__init__()
        self.encoder = mlp(cfg.obs, cfg.latent)
        self.actor = mlp(cfg.latent, 1)
        self.critics = nn.ModuleList(mlp(cfg.latent + 1, 1) for _ in range(2))

    def act(self, z: Tensor) -> Tensor:
        return torch.tanh(self.actor(z))

    def q(self, z: Tensor, a: Tensor) -> list[Tensor]:
        return [c(torch.cat([z, a], -1)).squeeze(-1) for c in self.critics]


@contextmanager
def frozen(module: nn.Module) -> Iterator[None]:
    for p in module.parameters():
        p.requires_grad_(False)
    try:
        yield
    finally:
        for p in module.parameters():
            p.requires_grad_(True)


class ReplayMemory:
    def __init__(self, cfg: TD3Config, capacity: int = 64) -> None:
        self.cfg, self.items = cfg, deque(maxlen=capacity)
        self.w = torch.randn(cfg.obs)

    def collect(self) -> None:
        obs, action = torch.randn(self.cfg.batch, self.cfg.obs), torch.rand(self.cfg.batch, 1) * 2 - 1
        demand = torch.tanh(obs @ self.w).unsqueeze(-1)
        nxt = 0.9 * obs + 0.1 * action
        self.items.append(Transition(obs, action, -(action - demand).pow(2).squeeze(-1), nxt))

    def sample(self) -> Transition:
        return self.items[int(torch.randint(len(self.items), ()))]


class TD3Trainer:
    def __init__(self, cfg: TD3Config) -> None:
        self.cfg, self.nets = cfg, Networks(cfg)
        self.target = copy.deepcopy(self.nets).requires_grad_(False)
        self.critic_opt = torch.optim.Adam([*self.nets.encoder.parameters(), *self.nets.critics.parameters()], 3e-3)
        self.actor_opt = torch.optim.Adam(self.nets.actor.parameters(), 1e-3)
        self.memory = ReplayMemory(cfg)

    @torch.no_grad()
    def td_target(self, t: Transition) -> Tensor:
        z = self.target.encoder(t.next_obs)
        return t.reward + self.cfg.gamma * torch.minimum(*self.target.q(z, self.target.act(z)))

    def critic_backward(self, z: Tensor, t: Transition) -> float:
        y = self.td_target(t)
        loss = sum(F.mse_loss(q, y) for q in self.nets.q(z, t.action))
        self.critic_opt.zero_grad()
        loss.backward()  # <- culprit
        return loss.item()

    def actor_backward(self, z: Tensor) -> None:
        with frozen(self.nets.critics):
            loss = -self.nets.q(z, self.nets.act(z))[0].mean()  # <- culprit
            self.actor_opt.zero_grad()
            loss.backward()

    @torch.no_grad()
    def soft_update(self) -> None:
        for tp, p in zip(self.target.parameters(), self.nets.parameters()):
            tp.lerp_(p, self.cfg.tau)

    def update(self, step: int) -> float:
        self.memory.collect()
        t = self.memory.sample()
        z = self.nets.encoder(t.obs)
        td = self.critic_backward(z, t)
        delayed = (step + 1) % self.cfg.policy_delay == 0
        if delayed:
            self.actor_backward(z)  # <- culprit
        self.critic_opt.step()
        if delayed:
            self.actor_opt.step()
            self.soft_update()
        return td

    def train(self) -> None:
        for step in range(self.cfg.steps):
            td = self.update(step)
            if step % 60 == 0:
                print(f"{step:4d} td {td:.4f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    config = TD3Config()
    torch.manual_seed(config.seed)
    TD3Trainer(config).train()
