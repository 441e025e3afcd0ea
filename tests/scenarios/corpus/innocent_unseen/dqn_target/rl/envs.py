import torch


class GridDrift:
    def reset(self):
        self.t = 0
        self.s = torch.randn(6)
        return self.s

    def step(self, a):
        self.t += 1
        self.s = 0.9 * self.s + 0.1 * torch.randn(6)
        self.s[a] -= 0.2 * self.s[a].sign()
        return self.s.clone(), -self.s.abs().mean().item(), self.t % 20 == 0
