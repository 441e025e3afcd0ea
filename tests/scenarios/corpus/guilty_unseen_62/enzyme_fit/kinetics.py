"""Michaelis-Menten consumption with a constant inflow."""
import torch
from torch import nn


class Michaelis(nn.Module):
    def __init__(self, vmax=1.0, km=1.0, inflow=0.1):
        super().__init__()
        self.log_vmax = nn.Parameter(torch.tensor(float(vmax)).log())
        self.log_km = nn.Parameter(torch.tensor(float(km)).log())
        self.log_in = nn.Parameter(torch.tensor(float(inflow)).log())

    def rhs(self, c):
        return self.log_in.exp() - self.log_vmax.exp() * c / (self.log_km.exp() + c)

    def slope(self, c):
        km = self.log_km.exp()
        return -self.log_vmax.exp() * km / (km + c).square()

    def constants(self):
        return {k: round(p.exp().item(), 4) for k, p in self.named_parameters()}


def progress_curves(model, stepper, c0, n):
    """Concentrations at the n steps after c0, shape (n, batch)."""
    out, c = [], c0
    for _ in range(n):
        c = stepper.step(model.rhs, model.slope, c)
        out.append(c)
    return torch.stack(out)
