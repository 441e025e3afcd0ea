import torch

MOVES = torch.tensor([[0.2, 0.0], [-0.2, 0.0], [0.0, 0.2], [0.0, -0.2]])


class Reach:
    def reset(self):
        self.q, self.goal, self.t = torch.randn(2) * 0.3, torch.randn(2), 0
        return torch.cat([self.q, self.goal])

    def step(self, a):
        self.q = self.q + MOVES[a]
        self.t += 1
        gap = float((self.q - self.goal).norm())
        return torch.cat([self.q, self.goal]), -gap, gap < 0.2 or self.t == 25
