import numpy as np


class StirredReactor:
    """Concentration and temperature of a CSTR around an unstable operating point, in deviations."""

    obs_dim, act_dim, horizon = 3, 1, 60

    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.c, self.T = self.rng.normal(0, 0.3, 2)
        self.ref = self.rng.uniform(-0.5, 0.5)
        self.t = 0
        return self._obs()

    def _obs(self):
        return np.array([self.c, self.T, self.ref], np.float32)

    def step(self, act):
        u = float(np.clip(act[0], -1, 1))
        rate = np.tanh(self.c + self.T)
        self.c += 0.1 * (-0.5 * self.c - 0.4 * rate)
        self.T += 0.1 * (-0.3 * self.T + 0.6 * rate + u) + 0.01 * self.rng.normal()
        self.t += 1
        reward = -(self.T - self.ref) ** 2 - 0.01 * u ** 2
        return self._obs(), reward, self.t >= self.horizon
