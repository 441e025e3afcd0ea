import torch
from torch import nn

class AgeSIR(nn.Module):
    """d/dt of (S, I) shares per age group; R is what is left."""

    def __init__(self, groups, hidden):
        super().__init__()
        self.mixing = nn.Linear(groups, groups, bias=False)
        nn.init.constant_(self.mixing.weight, 0.1)
        self.susceptibility = nn.Sequential(nn.Linear(groups, hidden), nn.Tanh(), nn.Linear(hidden, groups))
        self.recovery = nn.Parameter(torch.tensor(-1.5))

    def forward(self, y):
        s, i = y.chunk(2, dim=-1)
        pressure = self.mixing(i)
        factor = 1 + 0.2 * torch.tanh(self.susceptibility(s))
        new = s * pressure * factor
        return torch.cat([-new, new - self.recovery.exp() * i], dim=-1)

class Rk4:
    def __init__(self, dt):
        self.dt = dt

    def advance(self, f, y):
        h = self.dt
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def solve(self, f, y, points):
        path = []
        for _ in range(points):
            y = self.advance(f, y)
            path.append(y)
        return torch.stack(path, dim=1)
