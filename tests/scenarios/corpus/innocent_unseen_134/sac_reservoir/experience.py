import torch


class Experience:
    """Fixed-size ring with priorities."""

    def __init__(self, size, obs):
        self.data = torch.zeros(size, 2 * obs + 3)
        self.prio = torch.zeros(size)
        self.obs, self.size, self.at = obs, size, 0

    def put(self, o, a, r, n, end):
        i = self.at % self.size
        self.data[i] = torch.cat([o, a, torch.tensor([r]), n, torch.tensor([float(end)])])
        self.prio[i] = self.prio.max().clamp(min=1.0)
        self.at += 1

    def sample(self, k):
        idx = torch.multinomial(self.prio, k)
        return idx, self.data[idx].split([self.obs, 1, 1, self.obs, 1], 1)

    def reweigh(self, idx, err):
        self.prio[idx] = err + 1e-3
