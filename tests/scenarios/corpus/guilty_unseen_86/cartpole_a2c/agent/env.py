import numpy as np


class Pole:
    def __init__(self, rng, max_steps):
        self.rng, self.max_steps = rng, max_steps

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, 4)
        self.t = 0
        return self.s.astype(np.float32)

    def step(self, a):
        x, v, th, w = self.s
        f = 10.0 if a == 1 else -10.0
        tmp = (f + 0.05 * w * w * np.sin(th)) / 1.1
        wacc = (9.8 * np.sin(th) - np.cos(th) * tmp) / (0.5 * (4 / 3 - 0.1 * np.cos(th) ** 2 / 1.1))
        vacc = tmp - 0.05 * wacc * np.cos(th) / 1.1
        dt = 0.06
        self.s = np.array([x + dt * v, v + dt * vacc, th + dt * w, w + dt * wacc])
        self.t += 1
        done = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.21 or self.t >= self.max_steps
        return self.s.astype(np.float32), 1.0, bool(done)
