import torch


class LossAwareSampler:
    """Keeps the last few losses of every timestep, as plain numbers in a table."""

    def __init__(self, T, history):
        self.hist = torch.ones(T, history)
        self.count = torch.zeros(T, dtype=torch.long)

    def sample(self, n):
        w = self.hist.pow(2).mean(1).sqrt()
        p = 0.9 * w / w.sum() + 0.1 / len(w)
        t = torch.multinomial(p, n, replacement=True)
        return t, 1 / (len(p) * p[t])

    def update(self, t, losses):
        for ti, l in zip(t.tolist(), losses):
            self.hist[ti, self.count[ti] % self.hist.size(1)] = l
            self.count[ti] += 1
