import torch


class UniformSampler:
    def __init__(self, T):
        self.T = T

    def weights(self):
        return torch.ones(self.T)

    def sample(self, n):
        w = self.weights()
        p = w / w.sum()
        t = torch.multinomial(p, n, replacement=True)
        return t, 1.0 / (self.T * p[t])

    def observe(self, t, losses):
        pass


class LossSecondMoment(UniformSampler):
    """Keeps the last `keep` losses per timestep; importance weights once every row is full."""

    def __init__(self, T, keep, uniform=0.001):
        super().__init__(T)
        self.keep, self.uniform = keep, uniform
        self.history = torch.zeros(T, keep)
        self.counts = torch.zeros(T, dtype=torch.long)

    def weights(self):
        if (self.counts < self.keep).any():
            return torch.ones(self.T)
        w = self.history.pow(2).mean(1).sqrt()
        w = w / w.sum()
        return w * (1 - self.uniform) + self.uniform / self.T

    def observe(self, t, losses):
        for i, l in zip(t.tolist(), losses.detach()):
            if self.counts[i] == self.keep:
                self.history[i, :-1] = self.history[i, 1:].clone()
                self.history[i, -1] = l
            else:
                self.history[i, self.counts[i]] = l
                self.counts[i] += 1
