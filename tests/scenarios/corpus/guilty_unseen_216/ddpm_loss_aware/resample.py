from collections import deque

import numpy as np
import torch


def create_named_schedule_sampler(name, diffusion):
    if name == "uniform":
        return UniformSampler(diffusion)
    if name == "loss-second-moment":
        return LossSecondMomentResampler(diffusion)
    raise NotImplementedError(name)


class ScheduleSampler:
    def weights(self):
        raise NotImplementedError

    def sample(self, batch_size):
        w = self.weights()
        p = w / w.sum()
        idx = np.random.default_rng(torch.randint(0, 2**31, (1,)).item()).choice(len(p), size=(batch_size,), p=p)
        weights = 1 / (len(p) * p[idx])
        return torch.from_numpy(idx).long(), torch.from_numpy(weights).float()


class UniformSampler(ScheduleSampler):
    def __init__(self, diffusion):
        self._w = np.ones([diffusion.num_timesteps])

    def weights(self):
        return self._w


class LossSecondMomentResampler(ScheduleSampler):
    def __init__(self, diffusion, history_per_term=400, uniform_prob=0.01):
        self.diffusion = diffusion
        self.uniform_prob = uniform_prob
        self.history = [deque(maxlen=history_per_term) for _ in range(diffusion.num_timesteps)]
        self.min_count = 5

    def warmed_up(self):
        return all(len(h) >= self.min_count for h in self.history)

    def weights(self):
        if not self.warmed_up():
            return np.ones([self.diffusion.num_timesteps])
        w = np.array([torch.stack(list(h)[-10:]).square().mean().sqrt().item() for h in self.history])
        w /= w.sum()
        w *= 1 - self.uniform_prob
        w += self.uniform_prob / len(w)
        return w / w.sum()

    def update_with_all_losses(self, ts, losses):
        for t, loss in zip(ts.tolist(), losses):  # <- culprit
            self.history[t].append(loss)  # <- culprit
