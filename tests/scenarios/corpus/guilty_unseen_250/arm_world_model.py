# gradwatch-corpus: kind=second-backward
# holder: self.transitions | self.replay.transitions | agent.replay.transitions
# first-bad: 8
"""Latent dynamics of a robot arm; a reward head is rehearsed on replayed latents."""
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class WorldModelConfig:
    joints: int = 7
    torques: int = 7
    latent: int = 32
    arms: int = 16
    warmup: int = 8
    capacity: int = 50
    rehearse: int = 4
    steps: int = 120
    lr: float = 1e-3


@dataclass
class Transition:
    latent: torch.Tensor
    torque: torch.Tensor
    reward: torch.Tensor


class LatentReplay:
    def __init__(self, capacity):
        self.transitions = deque(maxlen=capacity)

    def push(self, latent, torque, reward):
        self.transitions.append(Transition(latent, torque, reward))  # <- culprit

    def sample(self, count):
        picked = random.sample(list(self.transitions), count)
        latents = torch.cat([item.latent for item in picked])
        torques = torch.cat([item.torque for item in picked])
        rewards = torch.cat([item.reward for item in picked])
        return latents, torques, rewards

    def __len__(self):
        return len(self.transitions)


class WorldModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(2 * cfg.joints, 64),
            nn.ELU(),
            nn.Linear(64, cfg.latent),
            nn.Tanh(),
        )
        self.dynamics = nn.Linear(cfg.latent + cfg.torques, cfg.latent)
        self.reward = nn.Sequential(
            nn.Linear(cfg.latent + cfg.torques, 32),
            nn.ELU(),
            nn.Linear(32, 1),
        )

    def imagine(self, latent, torque):
        return torch.tanh(self.dynamics(torch.cat([latent, torque], dim=-1)))

    def predict_reward(self, latent, torque):
        return self.reward(torch.cat([latent, torque], dim=-1)).squeeze(-1)


class ArmFarm:
    def __init__(self, cfg):
        self.cfg = cfg
        self.pose = torch.zeros(cfg.arms, cfg.joints)
        self.speed = torch.zeros(cfg.arms, cfg.joints)

    def observe(self):
        return torch.cat([self.pose, self.speed], dim=-1)

    def actuate(self, torque):
        self.speed = 0.9 * self.speed + 0.1 * torque
        self.pose = 0.99 * self.pose + 0.1 * self.speed
        return -(self.pose - 0.2).pow(2).mean(dim=-1)


class WorldModelAgent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = WorldModel(cfg)
        self.replay = LatentReplay(cfg.capacity)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)

    def learn(self, before, torque, reward, after):
        latent = self.model.encoder(before)
        with torch.no_grad():
            target = self.model.encoder(after)
        dynamics_loss = nn.functional.mse_loss(self.model.imagine(latent, torque), target)
        reward_loss = nn.functional.mse_loss(self.model.predict_reward(latent, torque), reward)
        loss = dynamics_loss + reward_loss
        if len(self.replay) >= self.cfg.warmup:
            old_latent, old_torque, old_reward = self.replay.sample(self.cfg.rehearse)
            rehearsed = self.model.predict_reward(old_latent, old_torque)
            loss = loss + 0.5 * nn.functional.mse_loss(rehearsed, old_reward)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.replay.push(latent, torque, reward)  # <- culprit
        return loss.item()


def main():
    random.seed(0)
    torch.manual_seed(0)
    cfg = WorldModelConfig()
    farm = ArmFarm(cfg)
    agent = WorldModelAgent(cfg)
    for step in range(cfg.steps):
        before = farm.observe()
        torque = torch.randn(cfg.arms, cfg.torques)
        reward = farm.actuate(torque)
        loss = agent.learn(before, torque, reward, farm.observe())
        if step % 5 == 0:
            print(f"step {step:3d} loss {loss:.4f}")


if __name__ == "__main__":
    main()
