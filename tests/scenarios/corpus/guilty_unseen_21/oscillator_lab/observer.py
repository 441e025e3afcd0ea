import torch
from torch import nn

from plant import coupling


class Observer(nn.Module):
    def reset(self, y0):
        raise NotImplementedError

    def advance(self, p, y, u):
        """One measurement forward: the innovation of that measurement."""
        raise NotImplementedError

    def physical(self):
        raise NotImplementedError

    def forward(self, ys, us):
        p = self.physical()
        return torch.stack([self.advance(p, y, u) for y, u in zip(ys, us)])


class ChainObserver(Observer):
    """Luenberger observer on the explicit mass-spring model. All constants positive by their logarithm."""

    def __init__(self, masses, dt):
        super().__init__()
        self.masses, self.dt = masses, dt
        self.register_buffer("couple", coupling(masses))
        self.log_k = nn.Parameter(torch.zeros(()))
        self.log_c = nn.Parameter(torch.tensor(-2.0))
        self.raw_gains = nn.Parameter(torch.tensor([-1.0, -1.0]))
        self.x = self.v = None

    def physical(self):
        gx, gv = torch.sigmoid(self.raw_gains)
        return {"k": self.log_k.exp(), "c": self.log_c.exp(), "gx": gx, "gv": gv}

    def reset(self, y0):
        self.x = y0.clone()
        self.v = torch.zeros(self.masses)

    def advance(self, p, y, u):
        acc = u - p["k"] * (self.couple @ self.x) - p["c"] * self.v
        v = self.v + self.dt * acc
        x = self.x + self.dt * v
        innovation = y - x
        self.x = x + p["gx"] * innovation  # <- culprit
        self.v = v + p["gv"] * innovation  # <- culprit
        return innovation
