import torch


class Reacher:
    obs_dim, act_dim = 6, 2

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def reset(self):
        self.t = 0
        self.pos = torch.zeros(2)
        self.vel = torch.zeros(2)
        self.goal = torch.rand(2, generator=self.gen) * 2 - 1
        return self.observe()

    def observe(self):
        return torch.cat([self.pos, self.vel, self.goal])

    def step(self, action):
        self.vel = 0.8 * self.vel + 0.1 * action.clamp(-1, 1)
        self.pos = self.pos + self.vel
        self.t += 1
        return self.observe(), -(self.pos - self.goal).norm().item()
