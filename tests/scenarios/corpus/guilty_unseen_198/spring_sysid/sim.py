import torch
from torch import nn


def laplacian(n):
    off = torch.diag(torch.ones(n - 1), 1)
    return off + off.T - 2 * torch.eye(n)


def accel(lap, x, v, k, c, force):
    return torch.addcmul(k * (lap @ x) + force, c, v, value=-1)


class Plant:
    def __init__(self, n, dt=0.05):
        self.k = 2.0 + torch.rand(n)
        self.c = torch.tensor(0.8)
        self.lap = laplacian(n)
        self.x = 0.2 * torch.randn(n)
        self.v = torch.zeros(n)
        self.dt = dt

    def advance(self, force, substeps):
        for _ in range(substeps):
            self.v = self.v + self.dt * accel(self.lap, self.x, self.v, self.k, self.c, force)
            self.x = self.x + self.dt * self.v
        return self.x + 0.002 * torch.randn_like(self.x)


class SpringChain(nn.Module):
    def __init__(self, n, dt=0.05):
        super().__init__()
        self.log_k = nn.Parameter(torch.zeros(n))
        self.log_c = nn.Parameter(torch.zeros(()))
        self.dt = dt
        self.lap = laplacian(n)
        self.state = None

    def reset(self, x, v):
        self.state = (x.clone(), v.clone())

    def advance(self, force, substeps):
        x, v = self.state
        k, c = self.log_k.exp(), self.log_c.exp()
        for _ in range(substeps):
            v = v + self.dt * accel(self.lap, x, v, k, c, force)
            x = x + self.dt * v
        self.state = (x, v)  # <- culprit
        return x
