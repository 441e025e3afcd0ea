import torch


class WheelSensor:
    def __init__(self, robots, noise):
        self.heading = torch.rand(robots) * 6.28
        self.noise = noise

    def ticks(self, n):
        for _ in range(n):
            turn = 0.2 * torch.randn_like(self.heading)
            self.heading = self.heading + turn
            pose = torch.stack([self.heading.cos(), self.heading.sin()], 1)
            reading = torch.cat([pose + self.noise * torch.randn_like(pose), turn[:, None],
                                 torch.randn(len(turn), 1)], 1)
            yield reading, pose
