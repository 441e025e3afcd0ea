import torch


def pendulum(n, horizon, dt=0.1, damping=0.15):
    angle = 2.0 * (torch.rand(n) - 0.5)
    speed = 1.0 * torch.randn(n)
    out = []
    for _ in range(horizon + 1):
        out.append(torch.stack([angle, speed], dim=1))
        speed = speed + dt * (-torch.sin(angle) - damping * speed)
        angle = angle + dt * speed
    return torch.stack(out, dim=1)
