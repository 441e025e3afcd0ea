import torch


def pendulum_windows(rows, channels, length, seed, dt=0.1):
    gen = torch.Generator().manual_seed(seed)
    theta = torch.randn(rows, channels, generator=gen)
    omega = torch.zeros(rows, channels)
    force = torch.zeros(rows, channels)
    while True:
        drives, angles = [], []
        for _ in range(length):
            force = 0.9 * force + 0.3 * torch.randn(rows, channels, generator=gen)
            coupling = 0.5 * (theta.roll(1, -1) - 2 * theta + theta.roll(-1, -1))
            omega = omega + dt * (-torch.sin(theta) - 0.3 * omega + coupling + force)
            theta = theta + dt * omega
            drives.append(force)
            angles.append(torch.sin(theta))
        yield torch.stack(drives), torch.stack(angles)
