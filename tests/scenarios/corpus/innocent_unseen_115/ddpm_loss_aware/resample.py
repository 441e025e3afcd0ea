import numpy as np
import torch


class LossSecondMomentResampler:
    """Importance sampling of timesteps from a short history of losses per timestep."""

    def __init__(self, num_timesteps, history_per_term=4, uniform_prob=0.05):
        self.T = num_timesteps
        self.history_per_term = history_per_term
        self.uniform_prob = uniform_prob
        self._history = [[] for _ in range(num_timesteps)]

    def warmed_up(self):
        return all(len(h) == self.history_per_term for h in self._history)

    def weights(self):
        if not self.warmed_up():
            return np.ones(self.T)
        w = np.array([np.sqrt(np.mean([l.item() ** 2 for l in h])) for h in self._history])
        w /= w.sum()
        return w * (1 - self.uniform_prob) + self.uniform_prob / self.T

    def sample(self, n):
        p = self.weights()
        p = p / p.sum()
        idx = np.random.choice(self.T, size=(n,), p=p)
        return torch.from_numpy(idx), torch.from_numpy(1.0 / (self.T * p[idx])).float()

    def update_with_losses(self, ts, losses):
        for t, loss in zip(ts.tolist(), losses):
            h = self._history[t]
            if len(h) == self.history_per_term:
                h.pop(0)
            h.append(loss)
