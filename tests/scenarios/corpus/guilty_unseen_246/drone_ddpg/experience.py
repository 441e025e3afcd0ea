import torch


class ReplayRing:
    def __init__(self, capacity, obs_dim, act_dim):
        self.obs = torch.zeros(capacity, obs_dim)
        self.act = torch.zeros(capacity, act_dim)
        self.rew = torch.zeros(capacity)
        self.nxt = torch.zeros(capacity, obs_dim)
        self.capacity = capacity
        self.head = 0
        self.size = 0

    def extend(self, obs, act, rew, nxt):
        count = len(obs)
        slots = (self.head + torch.arange(count)) % self.capacity
        self.obs[slots] = obs
        self.act[slots] = act
        self.rew[slots] = rew
        self.nxt[slots] = nxt
        self.head = (self.head + count) % self.capacity
        self.size = min(self.capacity, self.size + count)

    def sample(self, count):
        picks = torch.randint(0, self.size, (count,))
        return self.obs[picks], self.act[picks], self.rew[picks], self.nxt[picks]
