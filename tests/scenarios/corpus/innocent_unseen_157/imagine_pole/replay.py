import random
from collections import deque

import torch

from .world import WIDTH


class Pole:
    def __init__(self):
        self.angle, self.speed = 0.5 * torch.randn(()), torch.zeros(())

    def obs(self):
        return torch.stack([self.angle.cos(), self.angle.sin(), self.speed])

    def act(self, force):
        self.speed = 0.95 * self.speed + 0.3 * self.angle.sin() + 0.3 * force
        self.angle = self.angle + 0.2 * self.speed
        return self.angle.cos()

    @torch.no_grad()
    def episode(self, actor, world, length):
        rows = {"obs": [], "act": [], "next": [], "reward": []}
        state = torch.zeros(1, WIDTH)
        for _ in range(length):
            obs = self.obs()
            action = actor(state)
            reward = self.act(action[0, 0])
            state = world.update(state, obs[None], action)
            for name, value in zip(rows, (obs, action[0], self.obs(), reward)):
                rows[name].append(value)
        return {name: torch.stack(column) for name, column in rows.items()}


class Replay:
    def __init__(self, capacity):
        self.episodes = deque(maxlen=capacity)

    def add(self, episode):
        self.episodes.append(episode)

    def sample(self, count):
        picked = random.Random(len(self.episodes)).choices(list(self.episodes), k=count)
        return {name: torch.stack([e[name] for e in picked]) for name in picked[0]}
