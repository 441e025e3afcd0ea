import torch


class ReplayMemory:
    """Ring buffer of transitions: the oldest entry is overwritten once it is full."""

    def __init__(self, capacity, rng):
        self.capacity = capacity
        self.rng = rng
        self.data = []
        self.cursor = 0

    def __len__(self):
        return len(self.data)

    def push(self, obs, action, reward, nxt, done):
        row = (obs, action, reward, nxt, float(done))
        if len(self.data) < self.capacity:
            self.data.append(row)
        else:
            self.data[self.cursor] = row
        self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, n):
        obs, action, reward, nxt, done = zip(*self.rng.sample(self.data, n))
        return (torch.stack(obs), torch.tensor(action), torch.tensor(reward),
                torch.stack(nxt), torch.tensor(done))
