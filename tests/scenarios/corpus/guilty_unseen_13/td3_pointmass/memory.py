import torch


class RingMemory:
    def __init__(self, capacity, obs_dim, act_dim):
        self.obs = torch.zeros(capacity, obs_dim)
        self.act = torch.zeros(capacity, act_dim)
        self.rew = torch.zeros(capacity)
        self.nxt = torch.zeros(capacity, obs_dim)
        self.capacity, self.size, self.head = capacity, 0, 0

    def push(self, obs, act, rew, nxt):
        i = self.head
        self.obs[i], self.act[i], self.rew[i], self.nxt[i] = obs, act, rew, nxt
        self.head = (i + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, n, generator):
        i = torch.randint(self.size, (n,), generator=generator)
        return self.obs[i], self.act[i], self.rew[i], self.nxt[i]
