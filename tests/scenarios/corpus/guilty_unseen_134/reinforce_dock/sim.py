import torch


class Dock:
    def __init__(self, boats, horizon):
        self.boats, self.horizon = boats, horizon

    def reset(self):
        self.x = 1 + torch.rand(self.boats)
        self.v = torch.zeros(self.boats)
        self.current = 0.1 * torch.randn(self.boats)
        return self.state()

    def state(self):
        return torch.stack([self.x, self.v, self.current], 1)

    def push(self, thrust):
        self.v = 0.8 * self.v + 0.3 * thrust.clamp(-1, 1) + 0.2 * self.current
        self.x = self.x + self.v
        return self.state(), -self.x.abs() - 0.1 * self.v.abs()
