import torch
from torch import nn

A = torch.tensor([[0.0, 1.0], [-1.5, -0.3]])


class VectorField(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, y):
        return self.f(y)


def integrate(f, y, steps, dt):
    path = [y]
    for _ in range(steps):
        k1 = f(y)
        y = y + dt * f(y + 0.5 * dt * k1)
        path.append(y)
    return torch.stack(path)


@torch.no_grad()
def true_path(y0, steps, dt):
    return integrate(lambda y: y @ A.t(), y0, steps, dt)
