import torch


class Memory:
    def __init__(self, size, obs_dim):
        self.obs = torch.zeros(size, obs_dim)
        self.act = torch.zeros(size, 1)
        self.rew = torch.zeros(size)
        self.nxt = torch.zeros(size, obs_dim)
        self.end = torch.zeros(size)
        self.n, self.size = 0, size

    def push(self, obs, act, rew, nxt, end):
        k = self.n % self.size
        self.obs[k], self.act[k], self.rew[k], self.nxt[k], self.end[k] = obs, act, rew, nxt, float(end)
        self.n += 1

    def sample(self, batch):
        idx = torch.randint(0, min(self.n, self.size), (batch,))
        return self.obs[idx], self.act[idx], self.rew[idx], self.nxt[idx], self.end[idx]
