import torch


def coupling(masses):
    """Second differences along a chain whose ends are tied to the walls."""
    return 2 * torch.eye(masses) - torch.diag(torch.ones(masses - 1), 1) - torch.diag(torch.ones(masses - 1), -1)


def drive(t, masses):
    u = torch.zeros(masses)
    u[0] = torch.sin(torch.tensor(0.9 * t)) + 0.5 * torch.sin(torch.tensor(2.3 * t))
    return u


@torch.no_grad()
def measured(masses, dt, noise, window, k=2.6, c=0.25, substeps=4):
    """Endless windows of (noisy positions, drive)."""
    stiff = k * coupling(masses)
    x, v = torch.randn(masses) * 0.5, torch.zeros(masses)
    step = 0
    while True:
        ys, us = [], []
        for _ in range(window):
            u = drive(dt * step, masses)
            for _ in range(substeps):
                v = v + dt / substeps * (u - stiff @ x - c * v)
                x = x + dt / substeps * v
            ys.append(x + noise * torch.randn(masses))
            us.append(u)
            step += 1
        yield torch.stack(ys), torch.stack(us)
