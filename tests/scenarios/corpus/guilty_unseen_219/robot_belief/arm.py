import numpy as np


class ReachEnv:
    """Two-link arm with velocity control, reaching for a random point."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.reset()

    def reset(self):
        self.q = self.rng.uniform(-1, 1, 2)
        self.goal = self.rng.uniform(-1.2, 1.2, 2)
        return self._obs()

    def _tip(self):
        a, b = self.q[0], self.q[0] + self.q[1]
        return np.array([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)])

    def _obs(self):
        return np.concatenate([np.sin(self.q), np.cos(self.q), self._tip(), self.goal]).astype("float32")

    def step(self, action):
        self.q = self.q + 0.15 * action + self.rng.normal(0, 0.01, 2)
        reward = -float(np.linalg.norm(self._tip() - self.goal))
        return self._obs(), reward


class Replay:
    def __init__(self, length, seed):
        self.length = length
        self.rng = np.random.default_rng(seed)
        self.obs, self.act, self.rew = [], [], []

    def add(self, obs, act, rew):
        self.obs.append(obs)
        self.act.append(act)
        self.rew.append(rew)

    def ready(self):
        return len(self.obs) > self.length + 4

    def sample(self, n):
        starts = self.rng.integers(0, len(self.obs) - self.length, n)
        cut = lambda seq: np.stack([np.stack(seq[s:s + self.length]) for s in starts], 1)
        return cut(self.obs), cut(self.act), cut(np.array(self.rew, dtype="float32"))
