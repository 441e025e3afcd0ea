import numpy as np


class WindyCorridor:
    """Walk to the right end; a wind pushes back now and then."""

    n_actions = 3

    def __init__(self, width=9, seed=0, horizon=40):
        self.width, self.horizon = width, horizon
        self.rng = np.random.default_rng(seed)
        self.obs_dim = width + 1

    def _obs(self):
        o = np.zeros(self.obs_dim, dtype=np.float32)
        o[self.pos] = 1.0
        o[-1] = self.t / self.horizon
        return o

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def step(self, a):
        self.t += 1
        move = a - 1
        if self.rng.random() < 0.2:
            move -= 1
        self.pos = int(np.clip(self.pos + move, 0, self.width - 1))
        goal = self.pos == self.width - 1
        return self._obs(), (1.0 if goal else -0.02), goal or self.t >= self.horizon
