import torch


class Yard:
    def __init__(self, robots, hz):
        self.dt = 1.0 / hz
        self.true_drift = torch.randn(robots) * 0.004
        self.slip = 1 + 0.1 * torch.randn(robots)
        self.th = torch.zeros(robots)
        self.omega = torch.zeros(robots)

    def tick(self):
        self.omega = 0.95 * self.omega + 0.2 * torch.randn_like(self.omega)
        self.th = self.th + self.omega * self.dt
        gyro = self.omega + self.true_drift / self.dt + 0.01 * torch.randn_like(self.th)
        wheel = torch.rand_like(self.th) + 0.5
        dist = wheel * self.slip * self.dt
        moved = torch.stack([dist * self.th.cos(), dist * self.th.sin()], -1)
        return gyro, wheel, self.th + 0.05 * torch.randn_like(self.th), moved
