import torch


class TwoLink:
    def reset(self):
        self.q = 0.5 * torch.randn(2)
        self.v = torch.zeros(2)
        return torch.cat([self.q, self.v])

    def step(self, torque, dt=0.05):
        acc = torque - torch.sin(self.q) - 0.2 * self.v
        self.v = self.v + dt * acc
        self.q = self.q + dt * self.v
        return torch.cat([self.q, self.v])
