import torch


class PointMass:
    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.pos, self.vel = torch.randn(self.n, 2), torch.zeros(self.n, 2)
        return self.obs()

    def obs(self):
        return torch.cat([self.pos, self.vel], 1)

    def step(self, a):
        self.vel = 0.9 * self.vel + 0.1 * a
        self.pos = self.pos + self.vel
        return self.obs(), -self.pos.norm(dim=1)


class ReplayBuffer:
    def __init__(self, capacity):
        self.rows, self.capacity = [], capacity

    def add(self, s, a, r, s2):
        self.rows.extend(zip(s, a, r, s2))
        del self.rows[:-self.capacity]

    def sample(self, k):
        pick = torch.randint(0, len(self.rows), (k,)).tolist()
        return tuple(torch.stack(col) for col in zip(*(self.rows[i] for i in pick)))
