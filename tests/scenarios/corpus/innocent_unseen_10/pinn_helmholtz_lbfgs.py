# gradwatch-corpus: kind=none
"""1-D Helmholtz problem, PINN with L-BFGS and loss weights that follow the gradient magnitudes (Wang, Teng & Perdikaris),
updated between the optimizer's steps."""
import math

import torch
from torch import nn
from torch.autograd import grad

torch.manual_seed(2)
torch.set_default_dtype(torch.float64)

K = 3.0
N_INT = 48
OUTER = 220


class Sine(nn.Module):
    def forward(self, x):
        return torch.sin(x)


net = nn.Sequential(nn.Linear(1, 20), Sine(), nn.Linear(20, 20), Sine(), nn.Linear(20, 1))
exact = lambda x: torch.sin(math.pi * x) + 0.3 * torch.sin(2 * math.pi * x)
source = lambda x: ((K ** 2 - math.pi ** 2) * torch.sin(math.pi * x)
                    + 0.3 * (K ** 2 - 4 * math.pi ** 2) * torch.sin(2 * math.pi * x))

x_int = torch.linspace(-1, 1, N_INT).view(-1, 1)
x_bnd = torch.tensor([[-1.0], [1.0]])
weights = {"pde": torch.tensor(0.01), "bnd": torch.tensor(1.0)}
latest = {}
history = {"pde": [], "bnd": [], "w_bnd": []}


def derivative(y, x):
    return grad(y.sum(), x, create_graph=True)[0]


def residuals():
    x = x_int.clone().requires_grad_()
    u = net(x)
    u_xx = derivative(derivative(u, x), x)
    return {
        "pde": (u_xx + K ** 2 * u - source(x)).square().mean(),
        "bnd": (net(x_bnd) - exact(x_bnd)).square().mean(),
    }


opt = torch.optim.LBFGS(net.parameters(), lr=0.3, max_iter=3, history_size=12, tolerance_grad=0.0)


def closure():
    opt.zero_grad()
    parts = residuals()
    loss = sum(weights[k] * v for k, v in parts.items())
    loss.backward()
    latest.update(parts, total=loss)
    return loss


def rebalance(beta=0.9):
    """w_bnd <- running mean of max |grad pde| / mean |grad bnd|"""
    parts = residuals()
    params = list(net.parameters())
    size = {}
    for k, v in parts.items():
        gs = grad(v, params, allow_unused=True)
        size[k] = torch.cat([g.abs().flatten() for g in gs if g is not None])
    ratio = weights["pde"] * size["pde"].max() / size["bnd"].mean().clamp_min(1e-9)
    weights["bnd"] = beta * weights["bnd"] + (1 - beta) * ratio.clamp(0.1, 50.0)


def l2_error():
    with torch.no_grad():
        x = torch.linspace(-1, 1, 301).view(-1, 1)
        return ((net(x) - exact(x)).norm() / exact(x).norm()).item()


for it in range(OUTER):
    opt.step(closure)
    if it % 20 == 10:
        rebalance()
    for k in ("pde", "bnd"):
        history[k].append(latest[k].item())
    history["w_bnd"].append(weights["bnd"].item())
    if it % 44 == 0 or it == OUTER - 1:
        print(f"{it:4d}  total {latest['total'].item():.3e}  pde {history['pde'][-1]:.3e}  bnd {history['bnd'][-1]:.3e}  "
              f"weight {history['w_bnd'][-1]:.2f}  rel. L2 error {l2_error():.3e}")

best = min(range(OUTER), key=lambda i: history["pde"][i])
print("smallest residual at iteration", best)
