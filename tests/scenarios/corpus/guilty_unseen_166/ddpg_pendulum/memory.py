from collections import deque

import numpy as np
import torch


class Pendulum:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.th, self.w, self.t = self.rng.uniform(-np.pi, np.pi), 0.0, 0
        return self.obs()

    def obs(self):
        return np.array([np.cos(self.th), np.sin(self.th), self.w], dtype=np.float32)

    def step(self, torque):
        th = (self.th + np.pi) % (2 * np.pi) - np.pi
        cost = th ** 2 + 0.1 * self.w ** 2 + 0.001 * torque ** 2
        self.w = float(np.clip(self.w + 0.05 * (15 * np.sin(self.th) + 3 * torque), -8, 8))
        self.th += 0.05 * self.w
        self.t += 1
        return self.obs(), -cost, self.t >= 60


class Replay:
    def __init__(self, capacity, seed):
        self.data = deque(maxlen=capacity)
        self.rng = np.random.default_rng(seed)

    def add(self, *transition):
        self.data.append(transition)

    def sample(self, n):
        rows = [self.data[i] for i in self.rng.integers(0, len(self.data), n)]
        s, a, r, s2 = zip(*rows)
        return (torch.from_numpy(np.stack(s)), torch.tensor(a).float().view(-1, 1),
                torch.tensor(r).float().view(-1, 1), torch.from_numpy(np.stack(s2)))
