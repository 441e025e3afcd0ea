import numpy as np


class Elevator:
    n_actions = 3  # down, stop, up

    def __init__(self, floors, horizon=60):
        self.floors, self.horizon = floors, horizon
        self.obs_dim = 2 * floors

    def reset(self):
        self.pos, self.t = 0, 0
        self.waiting = np.zeros(self.floors)
        return self._obs()

    def _obs(self):
        onehot = np.eye(self.floors)[self.pos]
        return np.concatenate([onehot, self.waiting / 4]).astype(np.float32)

    def step(self, action):
        self.t += 1
        served = 0.0
        if action == 1:
            served = self.waiting[self.pos]
            self.waiting[self.pos] = 0
        else:
            self.pos = int(np.clip(self.pos + action - 1, 0, self.floors - 1))
        if np.random.rand() < 0.4:
            self.waiting[np.random.randint(self.floors)] += 1
        reward = served - 0.05 * self.waiting.sum()
        return self._obs(), float(reward), self.t >= self.horizon
