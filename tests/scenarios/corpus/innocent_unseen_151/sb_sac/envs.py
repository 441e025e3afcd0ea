import numpy as np


class Pendulumish:
    def _obs(self):
        return np.array([np.cos(self.th), np.sin(self.th), self.thd], dtype=np.float32)

    def reset(self):
        self.th, self.thd, self.t = np.random.uniform(-np.pi, np.pi), 0.0, 0
        return self._obs()

    def step(self, u):
        u = float(2 * u[0])
        cost = ((self.th + np.pi) % (2 * np.pi) - np.pi) ** 2 + 0.1 * self.thd ** 2
        self.thd = float(np.clip(self.thd + (15 * np.sin(self.th) + 3 * u) * 0.05, -8, 8))
        self.th += self.thd * 0.05
        self.t += 1
        return self._obs(), -cost / 10, self.t >= 60
