import random

import torch


class EpisodeOver(Exception):
    def __init__(self, reward, length, reached):
        super().__init__(f"over after {length} moves")
        self.reward = reward
        self.length = length
        self.reached = reached


class Corridor:
    """Start in the middle, goal on the right, a pit on the left. The end of an episode is raised."""

    def __init__(self, length, wind, limit, seed):
        self.length, self.wind, self.limit = length, wind, limit
        self.rng = random.Random(seed)
        self.pos = self.moves = 0

    def reset(self):
        self.pos, self.moves = self.length // 2, 0
        return self.observe()

    def observe(self):
        obs = torch.zeros(self.length)
        obs[self.pos] = 1.0
        return obs

    def step(self, action):
        self.moves += 1
        shift = 1 if action == 1 else -1
        if self.rng.random() < self.wind:
            shift = -shift
        self.pos += shift
        if self.pos in (0, self.length - 1):
            won = self.pos == self.length - 1
            raise EpisodeOver(1.0 if won else -1.0, self.moves, won)
        if self.moves >= self.limit:
            raise EpisodeOver(-0.5, self.moves, False)
        return self.observe(), -0.02
