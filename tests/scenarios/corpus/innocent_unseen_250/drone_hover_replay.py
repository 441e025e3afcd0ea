# gradwatch-corpus: kind=none
"""Off-policy hover controller: replay of detached steps, target critic, two optimizers."""
import copy
import random
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn


@dataclass
class HoverConfig:
    state: int = 6
    thrust: int = 2
    drones: int = 8
    capacity: int = 60
    warmup: int = 10
    replayed: int = 6
    gamma: float = 0.95
    tau: float = 0.02
    steps: int = 150


class Step(NamedTuple):
    state: torch.Tensor
    thrust: torch.Tensor
    reward: torch.Tensor
    following: torch.Tensor


class ReplayStore:
    def __init__(self, capacity):
        self.steps = deque(maxlen=capacity)

    def add(self, *parts):
        self.steps.append(Step(*[part.detach().clone() for part in parts]))

    def draw(self, count):
        chosen = random.sample(list(self.steps), count)
        return Step(*[torch.cat(column) for column in zip(*chosen)])


class Pilot(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cfg.state, 40), nn.Tanh(), nn.Linear(40, cfg.thrust), nn.Tanh())

    def forward(self, state):
        return self.net(state)


class Critic(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cfg.state + cfg.thrust, 40), nn.ReLU(), nn.Linear(40, 1))

    def forward(self, state, thrust):
        return self.net(torch.cat([state, thrust], dim=-1)).squeeze(-1)


class HoverAgent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.pilot = Pilot(cfg)
        self.critic = Critic(cfg)
        self.target_critic = copy.deepcopy(self.critic).requires_grad_(False)
        self.pilot_optim = torch.optim.Adam(self.pilot.parameters(), lr=1e-3)
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.store = ReplayStore(cfg.capacity)
        self.value_losses = deque(maxlen=50)

    def act(self, state):
        with torch.no_grad():
            thrust = self.pilot(state)
        return thrust + 0.2 * torch.randn_like(thrust)

    def learn(self):
        batch = self.store.draw(self.cfg.replayed)
        with torch.no_grad():
            planned = self.pilot(batch.following)
            target = batch.reward + self.cfg.gamma * self.target_critic(batch.following, planned)
        critic_loss = nn.functional.mse_loss(self.critic(batch.state, batch.thrust), target)
        self.critic_optim.zero_grad()
        critic_loss.backward()
        self.critic_optim.step()
        self.value_losses.append(critic_loss.detach())

        self.critic.requires_grad_(False)
        pilot_loss = -self.critic(batch.state, self.pilot(batch.state)).mean()
        self.pilot_optim.zero_grad()
        pilot_loss.backward()
        self.pilot_optim.step()
        self.critic.requires_grad_(True)

        with torch.no_grad():
            for slow, quick in zip(self.target_critic.parameters(), self.critic.parameters()):
                slow.lerp_(quick, self.cfg.tau)


def main():
    random.seed(6)
    torch.manual_seed(6)
    cfg = HoverConfig()
    agent = HoverAgent(cfg)
    response = 0.3 * torch.randn(cfg.thrust, cfg.state)
    state = torch.randn(cfg.drones, cfg.state)
    for number in range(cfg.steps):
        thrust = agent.act(state)
        following = 0.9 * state + thrust @ response + 0.05 * torch.randn_like(state)
        reward = -following.pow(2).mean(dim=1)
        agent.store.add(state, thrust, reward, following)
        state = following
        if number >= cfg.warmup:
            agent.learn()
        if number % 50 == 49:
            mean_loss = torch.stack(list(agent.value_losses)).mean().item()
            print(f"step {number + 1:3d} reward {reward.mean().item():.3f} critic {mean_loss:.4f}")


if __name__ == "__main__":
    main()
