import torch


class Landers:
    def __init__(self, n):
        self.n = n
        self.h = torch.full((n,), 2.0)
        self.v = torch.zeros(n)

    def obs(self):
        return torch.stack([self.h, self.v], 1)

    def step(self, thrust):
        self.v = self.v - 0.1 + 0.2 * thrust.float()
        self.h = self.h + 0.3 * self.v
        done = (self.h <= 0) | (self.h > 4)
        r = torch.where(done, 1 - 2 * self.v.abs() - (self.h > 4).float() * 2, torch.full((self.n,), -0.02))
        self.h = torch.where(done, 1 + torch.rand(self.n), self.h)
        self.v = torch.where(done, torch.zeros(self.n), self.v)
        return self.obs(), r, done.float()
