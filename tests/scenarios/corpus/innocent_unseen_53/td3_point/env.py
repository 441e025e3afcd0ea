import numpy as np


class PointMass:
    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.pos = self.rng.uniform(-1, 1, 2)
        self.vel = np.zeros(2)
        self.t = 0
        self.solved = False
        return np.concatenate([self.pos, self.vel])

    def step(self, action):
        self.vel = 0.8 * self.vel + 0.1 * np.asarray(action)
        self.pos = self.pos + self.vel
        self.t += 1
        dist = float(np.linalg.norm(self.pos))
        self.solved = dist < 0.05
        return np.concatenate([self.pos, self.vel]), -dist, self.solved or self.t >= 25
