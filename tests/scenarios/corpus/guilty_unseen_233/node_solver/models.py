import torch
import torch.nn as nn


class ODEFunc(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim + 1, hidden),
            nn.Tanh(),
            nn.Linear(hidden, dim),
        )

    def forward(self, t, z):
        tt = torch.full_like(z[:, :1], t)
        return 3.0 * self.net(torch.cat([z, tt], dim=1))


class ODEClassifier(nn.Module):
    def __init__(self, dim, hidden, solver):
        super().__init__()
        self.dim = dim
        self.func = ODEFunc(dim, hidden)
        self.solver = solver
        self.head = nn.Linear(dim, 2)

    def augment(self, x):
        pad = x.new_zeros(x.size(0), self.dim - x.size(1))
        return torch.cat([x, pad], dim=1)

    def forward(self, x):
        z0 = self.augment(x)
        z1 = self.solver.integrate(self.func, z0, 0.0, 1.0)
        return self.head(z1)
