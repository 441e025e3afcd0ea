import random

import numpy as np


class KeyDoorEnv:
    """Small grid: pick up the key, then walk to the door."""

    def __init__(self, size=5, max_steps=40):
        self.size = size
        self.max_steps = max_steps
        self.n_actions = 4
        self.obs_dim = 7

    def reset(self):
        self.t = 0
        self.has_key = False
        self.pos = [0, 0]
        self.key = [random.randrange(self.size), random.randrange(self.size)]
        self.door = [self.size - 1, self.size - 1]
        return self._obs()

    def _obs(self):
        s = float(self.size)
        return np.array([self.pos[0] / s, self.pos[1] / s, self.key[0] / s, self.key[1] / s,
                         self.door[0] / s, self.door[1] / s, float(self.has_key)], dtype=np.float32)

    def step(self, action):
        dx, dy = [(0, 1), (0, -1), (1, 0), (-1, 0)][action]
        self.pos[0] = min(max(self.pos[0] + dx, 0), self.size - 1)
        self.pos[1] = min(max(self.pos[1] + dy, 0), self.size - 1)
        self.t += 1
        reward = -0.02
        done = self.t >= self.max_steps
        if not self.has_key and self.pos == self.key:
            self.has_key = True
            reward = 0.5
        if self.has_key and self.pos == self.door:
            reward = 1.0
            done = True
        return self._obs(), reward, done
