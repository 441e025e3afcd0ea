import torch


class ArmSim:
    def __init__(self, envs, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.angle = torch.zeros(envs, 2)
        self.speed = torch.zeros(envs, 2)

    def step(self):
        torque = torch.randn(self.angle.shape, generator=self.gen)
        self.speed = 0.9 * self.speed + 0.1 * torque - 0.05 * torch.sin(self.angle)
        self.angle = self.angle + self.speed
        return torch.cat([self.angle.sin(), self.angle.cos()], dim=-1), torque
