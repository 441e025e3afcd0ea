import numpy as np
import torch as th


class ReplayBuffer:
    def __init__(self, size, obs_dim, act_dim):
        self.data = [np.zeros((size, d), np.float32) for d in (obs_dim, act_dim, 1, obs_dim)]
        self.size, self.n = size, 0

    def add(self, *transition):
        for store, value in zip(self.data, transition):
            store[self.n % self.size] = value
        self.n += 1

    def sample(self, batch):
        idx = np.random.randint(0, min(self.n, self.size), batch)
        return [th.as_tensor(d[idx]) for d in self.data]
