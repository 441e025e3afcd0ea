import numpy as np


class PointReach:
    def reset(self):
        self.p = np.random.uniform(-1, 1, 2)
        self.goal = np.random.uniform(-1, 1, 2)
        self.t = 0
        return np.concatenate([self.p, self.goal])

    def step(self, a):
        self.p = np.clip(self.p + 0.1 * np.clip(a, -1, 1), -1.5, 1.5)
        self.t += 1
        d = np.linalg.norm(self.p - self.goal)
        return np.concatenate([self.p, self.goal]), -d, bool(d < 0.1 or self.t >= 40)
