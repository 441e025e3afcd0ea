import torch


class Corridor:
    def __init__(self, n, cells=9):
        self.n, self.cells = n, cells

    def observe(self):
        return torch.eye(self.cells)[self.pos]

    def reset(self):
        self.pos = torch.full((self.n,), self.cells // 2)
        return self.observe()

    def step(self, action):
        self.pos = (self.pos + 2 * action - 1).clamp(0, self.cells - 1)
        reward = (self.pos == self.cells - 1).float()
        self.pos = torch.where(reward > 0, torch.zeros_like(self.pos), self.pos)
        return self.observe(), reward
