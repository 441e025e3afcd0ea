# gradwatch-corpus: kind=graph-chain
# holder: self.heading | robot.heading
# first-bad: 1
"""Line-follower robot: learn the constant gyro bias from compass readings."""
import math

import torch
from torch import nn


class Robot(nn.Module):
    def __init__(self, n_axes=3, dt=0.05):
        super().__init__()
        self.dt = dt
        self.bias = nn.Parameter(torch.zeros(n_axes))
        self.mount = nn.Parameter(torch.zeros(n_axes))
        self.scale = nn.Parameter(torch.ones(n_axes))
        self.heading = torch.zeros(n_axes)
        self.steps = 0

    def predict(self, gyro):
        moved = gyro * self.dt
        self.heading = self.heading + moved - self.bias  # <- culprit
        self.steps += 1
        return (self.heading - self.mount) * self.scale

    def forward(self, gyro):
        return self.predict(gyro)


class World:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.true_bias = torch.tensor([0.012, -0.02, 0.005])
        self.angle = torch.zeros(3)
        self.t = 0

    def next(self, dt):
        rate = torch.tensor([
            math.sin(self.t * 0.1),
            math.cos(self.t * 0.07),
            math.sin(self.t * 0.03),
        ])
        self.angle = self.angle + rate * dt
        self.t += 1
        noise = torch.randn(3, generator=self.g) * 0.01
        gyro = rate + self.true_bias / dt + noise
        compass = self.angle + torch.randn(3, generator=self.g) * 0.02
        return gyro, compass


def main():
    torch.manual_seed(0)
    world = World(seed=5)
    robot = Robot()
    opt = torch.optim.Adam(robot.parameters(), lr=1e-3)
    huber = nn.SmoothL1Loss()
    for t in range(200):
        gyro, compass = world.next(robot.dt)
        guess = robot(gyro)
        loss = huber(guess, compass)
        loss = loss + 1e-3 * (robot.scale - 1).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if t % 40 == 0:
            b = ", ".join(f"{v:+.4f}" for v in robot.bias.tolist())
            print(f"t={t:3d} loss={loss.item():.5f} bias=[{b}]")
    print("true bias", world.true_bias.tolist())


if __name__ == "__main__":
    main()
