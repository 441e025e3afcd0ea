import torch
import torch.nn as nn
import torch.nn.functional as F

LAPLACE = torch.tensor([[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]]).view(1, 1, 3, 3)


def laplacian(u):
    padded = F.pad(u, (1, 1, 1, 1), mode="replicate")
    return F.conv2d(padded, LAPLACE)


class HeatPlate(nn.Module):
    """Explicit Euler step of u_t = kappa * lap(u) - decay * u + source."""

    def __init__(self, u0, dt=0.1):
        super().__init__()
        self.dt = dt
        self.log_kappa = nn.Parameter(torch.tensor(-2.0))
        self.log_decay = nn.Parameter(torch.tensor(-2.0))
        self.register_buffer("source", torch.zeros_like(u0))
        self.source[..., 4:7, 4:7] = 0.3
        self.field = u0

    def coefficients(self):
        return self.log_kappa.exp().item(), self.log_decay.exp().item()

    def advance(self):
        u = self.field
        kappa, decay = self.log_kappa.exp(), self.log_decay.exp()
        rate = kappa * laplacian(u) - decay * u + self.source
        self.field = u + self.dt * rate  # <- culprit
        return self.field
