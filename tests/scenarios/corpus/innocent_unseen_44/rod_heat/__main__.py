# gradwatch-corpus: kind=none
"""Physics-informed network for heat in a rod: u_t = a u_xx, u(x,0) = sin(pi x)."""
import math

import torch

from .balance import LossBalancer
from .field import TemperatureField, derivatives

DIFFUSIVITY = 0.1
STEPS = 160


def points(n):
    x, t = torch.rand(n, 1), torch.rand(n, 1)
    return x.requires_grad_(True), t.requires_grad_(True)


def residual(field, n=96):
    x, t = points(n)
    u_t, u_xx = derivatives(field(x, t), x, t)
    return (u_t - DIFFUSIVITY * u_xx).square().mean()


def start_loss(field, n=48):
    x = torch.rand(n, 1)
    return (field(x, torch.zeros_like(x)) - torch.sin(math.pi * x)).square().mean()


def edge_loss(field, n=32):
    t = torch.rand(n, 1)
    x = torch.randint(2, (n, 1)).float()
    return field(x, t).square().mean()


@torch.no_grad()
def error(field):
    x = torch.linspace(0, 1, 41)[:, None]
    t = torch.full_like(x, 0.5)
    exact = math.exp(-DIFFUSIVITY * math.pi ** 2 * 0.5) * torch.sin(math.pi * x)
    return (field(x, t) - exact).abs().max().item()


def main():
    torch.manual_seed(41)
    field = TemperatureField()
    optimizer = torch.optim.Adam(field.parameters(), lr=5e-3)
    balancer = LossBalancer(list(field.parameters()), names=("residual", "start", "edge"))
    for step in range(STEPS):
        losses = {"residual": residual(field), "start": start_loss(field), "edge": edge_loss(field)}
        if step % 8 == 0:
            balancer.refresh(losses)
        optimizer.zero_grad()
        total = balancer.combine(losses)
        total.backward()
        optimizer.step()
        if step % 40 == 0 or step == STEPS - 1:
            shown = "  ".join(f"{k} {v.item():.4f}" for k, v in losses.items())
            print(f"{step:4d}  {shown}  worst error {error(field):.3f}")
    print("weights:", {k: round(v, 2) for k, v in balancer.weights.items()})


main()
