import torch


class VecPendulum:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.th = (torch.rand(self.n) * 2 - 1) * 3.1
        self.w = torch.zeros(self.n)
        return self.obs()

    def obs(self):
        return torch.stack([self.th.cos(), self.th.sin(), self.w / 8], 1)

    def step(self, a):
        u = a.squeeze(-1).clamp(-2, 2)
        self.w = (self.w + 0.05 * (15 * self.th.sin() + 3 * u)).clamp(-8, 8)
        self.th = (self.th + 0.05 * self.w + 3.1416) % 6.2832 - 3.1416
        return self.obs(), -(self.th ** 2 + 0.1 * self.w ** 2)
