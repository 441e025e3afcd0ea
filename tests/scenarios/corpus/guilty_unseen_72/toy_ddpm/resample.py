from collections import deque

import torch


def create_sampler(name, timesteps):
    return {"uniform": UniformSampler, "second-moment": SecondMomentSampler}[name](timesteps)


class ScheduleSampler:
    def __init__(self, timesteps):
        self.T = timesteps

    def weights(self):
        raise NotImplementedError

    def sample(self, n):
        p = self.weights()
        p = p / p.sum()
        idx = torch.multinomial(p, n, replacement=True)
        return idx, 1.0 / (self.T * p[idx])

    def update(self, t, losses):
        pass


class UniformSampler(ScheduleSampler):
    def weights(self):
        return torch.ones(self.T)


class SecondMomentSampler(ScheduleSampler):
    """p(t) proportional to sqrt(E[L_t^2]) over the last few losses seen at t."""

    def __init__(self, timesteps, history_per_term=10, uniform_prob=0.001):
        super().__init__(timesteps)
        self.uniform_prob = uniform_prob
        self.history_per_term = history_per_term
        self.records = [deque(maxlen=history_per_term) for _ in range(timesteps)]

    def warmed_up(self):
        return all(len(r) == self.history_per_term for r in self.records)

    def weights(self):
        if not self.warmed_up():
            return torch.ones(self.T)
        w = torch.tensor([(sum(float(l) ** 2 for l in r) / len(r)) ** 0.5 for r in self.records])
        w = w / w.sum()
        return w * (1 - self.uniform_prob) + self.uniform_prob / self.T

    def update(self, t, losses):
        for i, loss in zip(t.tolist(), losses):
            self.records[i].append(loss)  # <- culprit
