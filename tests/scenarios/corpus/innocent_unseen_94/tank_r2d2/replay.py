import random

import torch


class Replay:
    def __init__(self, capacity, unroll):
        self.capacity, self.unroll = capacity, unroll
        self.rows = []

    def __len__(self):
        return len(self.rows)

    def add(self, obs, act, rew, hidden):
        self.rows.append((obs, act, rew, hidden))
        if len(self.rows) > self.capacity:
            self.rows.pop(0)

    def sample(self):
        i = random.randrange(len(self.rows) - self.unroll)
        obs, act, rew, hid = zip(*self.rows[i:i + self.unroll])
        return torch.stack(obs), torch.stack(act), torch.stack(rew), hid[0]
