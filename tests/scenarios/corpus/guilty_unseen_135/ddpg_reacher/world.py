import torch


class Reacher:
    def reset(self):
        self.tip, self.goal = torch.zeros(2), torch.rand(2) * 2 - 1
        return torch.cat([self.tip, self.goal])

    def step(self, a):
        self.tip = self.tip + 0.1 * a
        return torch.cat([self.tip, self.goal]), -(self.tip - self.goal).norm()
