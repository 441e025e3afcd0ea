# gradwatch-corpus: kind=second-backward
# holder: loss
# first-bad: 0
# notice: 0
"""Physics-informed network for the damped harmonic oscillator

    m u'' + mu u' + k u = 0,   u(0) = 1, u'(0) = 0

trained with L-BFGS, which usually gets a PINN much further than Adam.
"""
import argparse
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass
class Oscillator:
    m: float = 1.0
    mu: float = 4.0
    k: float = 40.0

    def exact(self, t):
        d = self.mu / (2 * self.m)
        w0 = (self.k / self.m) ** 0.5
        w = (w0 ** 2 - d ** 2) ** 0.5
        phi = torch.atan(torch.tensor(-d / w))
        amp = 1 / (2 * torch.cos(phi))
        return torch.exp(-d * t) * 2 * amp * torch.cos(phi + w * t)


class FCN(nn.Module):
    """Fully connected tanh network t -> u(t)."""

    def __init__(self, hidden=24, depth=3):
        super().__init__()
        layers = [nn.Linear(1, hidden), nn.Tanh()]
        for _ in range(depth - 1):
            layers += [nn.Linear(hidden, hidden), nn.Tanh()]
        layers.append(nn.Linear(hidden, 1))
        self.net = nn.Sequential(*layers)

    def forward(self, t):
        return self.net(t)


def derivative(u, t):
    return torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]


def pinn_loss(model, system, t_phys, lambda_bc=1e-1, lambda_pde=1e-4):
    """Initial conditions plus the ODE residual at the collocation points."""
    t0 = torch.zeros(1, 1, requires_grad=True)
    u0 = model(t0)
    du0 = derivative(u0, t0)
    ic = (u0 - 1).pow(2).sum() + lambda_bc * du0.pow(2).sum()

    u = model(t_phys)
    du = derivative(u, t_phys)
    d2u = derivative(du, t_phys)
    residual = system.m * d2u + system.mu * du + system.k * u
    return ic + lambda_pde * residual.pow(2).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--points", type=int, default=40)
    ap.add_argument("--lr", type=float, default=0.5)
    args = ap.parse_args()
    torch.manual_seed(123)

    system = Oscillator()
    model = FCN()
    optimizer = torch.optim.LBFGS(model.parameters(), lr=args.lr, max_iter=10, history_size=20)
    t_test = torch.linspace(0, 1, 100).view(-1, 1)
    u_exact = system.exact(t_test)

    for step in range(args.steps):
        t_phys = torch.rand(args.points, 1).requires_grad_(True)
        loss = pinn_loss(model, system, t_phys)  # <- culprit

        def closure():
            optimizer.zero_grad()
            loss.backward()  # <- culprit
            return loss

        optimizer.step(closure)

        if step % 10 == 0:
            with torch.no_grad():
                err = (model(t_test) - u_exact).abs().max().item()
            print(f"step {step:3d}  loss {loss.item():.3e}  max error {err:.3f}")


if __name__ == "__main__":
    main()
