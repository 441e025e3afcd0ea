import torch


class Lander:
    width = 2

    def __init__(self, craft):
        self.craft = craft
        self.height = torch.ones(craft)
        self.speed = torch.zeros(craft)

    def reset(self):
        self.height = 1 + 0.2 * torch.rand(self.craft)
        self.speed = -0.1 * torch.rand(self.craft)
        return torch.stack([self.height, self.speed], dim=1)

    def step(self, thrust):
        self.speed = self.speed + 0.1 * (thrust.clamp(-2, 2) - 0.3)
        self.height = self.height + 0.3 * self.speed
        reward = -(self.height.abs() + 0.5 * self.speed.abs())
        done = bool((self.height < 0).all())
        return torch.stack([self.height, self.speed], dim=1), reward, done
