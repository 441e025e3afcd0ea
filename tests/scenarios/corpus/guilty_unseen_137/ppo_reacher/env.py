import torch


class VecReacher:
    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.angle = torch.zeros(self.n)
        self.goal = torch.rand(self.n) * 2 - 1
        return self.obs()

    def obs(self):
        return torch.stack([self.angle, self.goal, self.goal - self.angle], 1)

    def step(self, torque):
        self.angle = (self.angle + 0.2 * torque.clamp(-1, 1)).clamp(-2, 2)
        return self.obs(), -(self.angle - self.goal).abs()
