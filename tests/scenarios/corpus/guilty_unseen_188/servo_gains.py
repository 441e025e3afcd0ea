# gradwatch-corpus: kind=graph-chain
# holder: anchors.items | anchors.items[-1] | self.items | self.items[-1] | anchors.latest()
# first-bad: 1
"""Tuning servo gains by differentiable simulation, pulled towards a slow anchor of the gains."""
import torch
from torch import nn


class Anchors:
    def __init__(self, first, keep):
        self.keep = keep
        self.items = (first,)

    def __iadd__(self, anchor):
        self.items = (*self.items, anchor)[-self.keep:]  # <- culprit
        return self

    def latest(self):
        return self.items[-1]

    def travel(self):
        return (self.items[-1] - self.items[0]).detach().norm().item()


class Servo(nn.Module):
    def __init__(self, axes=3):
        super().__init__()
        self.log_gain = nn.Parameter(torch.zeros(axes, 3))

    def forward(self, target, inertia, friction, dt=0.05, steps=14):
        kp, ki, kd = self.log_gain.exp().unbind(-1)
        pos = torch.zeros_like(target)
        vel = torch.zeros_like(target)
        integral = torch.zeros_like(target)
        cost = 0.0
        for _ in range(steps):
            err = target - pos
            integral = integral + dt * err
            torque = 4 * kp * err + ki * integral - kd * vel
            vel = vel + dt * (torque - friction * vel) / inertia
            pos = pos + dt * vel
            cost = cost + err.pow(2).mean() + 1e-3 * torque.pow(2).mean()
        return cost / steps, pos


def plants(gen, n=12, axes=3):
    target = torch.randn(n, axes, generator=gen)
    inertia = 0.5 + torch.rand(n, axes, generator=gen)
    friction = 0.2 + 0.3 * torch.rand(n, axes, generator=gen)
    return target, inertia, friction


def main(steps=450, rate=0.05, pull=0.02):
    torch.manual_seed(27)
    gen = torch.Generator().manual_seed(28)
    servo = Servo()
    opt = torch.optim.SGD(servo.parameters(), lr=0.2, momentum=0.5)
    anchors = Anchors(servo.log_gain.detach().clone(), keep=10)
    for step in range(steps):
        target, inertia, friction = plants(gen)
        cost, pos = servo(target, inertia, friction)
        anchor = anchors.latest().lerp(servo.log_gain, rate)  # <- culprit
        loss = cost + pull * (servo.log_gain - anchor).pow(2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        anchors += anchor  # <- culprit
        if step % 75 == 0:
            miss = (target - pos).abs().mean().item()
            print(f"{step} cost {cost.item():.4f} miss {miss:.3f} travel {anchors.travel():.4f}")


if __name__ == "__main__":
    main()
