# gradwatch-corpus: kind=none
"""Ground state of a quartic oscillator: strong-form residual and a Rayleigh quotient."""
from functools import partial
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(17)

LAMBDA = 0.2


class Ansatz(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.energy = nn.Parameter(torch.tensor(0.4))

    def forward(self, x):
        even = self.net(x) + self.net(-x)
        return torch.exp(-0.5 * x ** 2) * (1 + 0.5 * even)


def derivative(f, x, order=1):
    """Recursive: order-th derivative of the summed output."""
    if order == 0:
        return f
    first, = torch.autograd.grad(f, x, torch.ones_like(f), create_graph=True)
    return derivative(first, x, order - 1)


def well(x, lam=LAMBDA):
    return 0.5 * x ** 2 + lam * x ** 4


def residual(model, x):
    psi = model(x)
    return -0.5 * derivative(psi, x, 2) + well(x) * psi - model.energy * psi


def rayleigh(model, x):
    psi = model(x)
    kinetic = 0.5 * derivative(psi, x).pow(2)
    return (kinetic + well(x) * psi ** 2).mean() / psi.pow(2).mean()


model = Ansatz()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
schedule = torch.optim.lr_scheduler.ExponentialLR(opt, 0.998)
terms = {"residual": lambda m, x: residual(m, x).pow(2).mean(),
         "quotient": lambda m, x: 0.1 * rayleigh(m, x),
         "gauge": lambda m, x: (m(torch.zeros(1, 1)) - 1).pow(2).sum(),
         "tie": lambda m, x: (m.energy - rayleigh(m, x).detach()).pow(2)}

for it in range(650):
    x = (torch.rand(32, 1) * 7 - 3.5).requires_grad_()
    parts = {k: f(model, x) for k, f in terms.items()}
    opt.zero_grad()
    sum(parts.values()).backward()
    opt.step()
    schedule.step()
    if it % 130 == 129:
        print(it + 1, f"E={model.energy.item():.4f}", {k: round(v.item(), 5) for k, v in parts.items()})
