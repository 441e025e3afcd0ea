# gradwatch-corpus: kind=graph-held
# holder: HeatRod.boundary_flux | self.boundary_flux | rod.boundary_flux
# first-bad: 1
# notice: 8
import functools
import random

import torch

torch.set_num_threads(1)
torch.manual_seed(2)
random.seed(2)


class HeatRod(torch.nn.Module):
    """u(x, t) on a rod with one insulated end."""

    def __init__(self, width=14):
        super().__init__()
        self.l1 = torch.nn.Linear(2, width)
        self.l2 = torch.nn.Linear(width, width)
        self.l3 = torch.nn.Linear(width, 1)
        self.log_kappa = torch.nn.Parameter(torch.tensor(-1.0))

    def forward(self, x, t):
        z = torch.cat([x, t], dim=1)
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(z)))))

    def residual(self, x, t):
        x.requires_grad_(True)
        t.requires_grad_(True)
        u = self(x, t)
        ut, ux = torch.autograd.grad(u.sum(), (t, x), create_graph=True)
        uxx, = torch.autograd.grad(ux.sum(), x, create_graph=True)
        return ut - self.log_kappa.exp() * uxx

    @functools.lru_cache(maxsize=None)  # <- culprit
    def boundary_flux(self, when):
        eps = 1e-2
        t = torch.full((1, 1), when)
        right = self(torch.full((1, 1), 1.0), t)
        inner = self(torch.full((1, 1), 1.0 - eps), t)
        return (right - inner) / eps


def initial_profile(x):
    return torch.cos(0.5 * torch.pi * x)


rod = HeatRod()
adam = torch.optim.Adam(rod.parameters(), lr=2e-3)
decay = torch.optim.lr_scheduler.ExponentialLR(adam, 0.995)

for it in range(300):
    x, t = torch.rand(20, 1), torch.rand(20, 1)
    pde = rod.residual(x, t).square().mean()
    x0 = torch.rand(16, 1)
    init = (rod(x0, torch.zeros_like(x0)) - initial_profile(x0)).square().mean()
    flux = sum(rod.boundary_flux(random.random()).square() for _ in range(3)).squeeze()
    objective = pde + 5.0 * init + 0.1 * flux
    adam.zero_grad()
    objective.backward()
    adam.step()
    decay.step()
    if it % 75 == 0:
        print(f"{it:4d} pde {pde.item():.4f} init {init.item():.4f} kappa {rod.log_kappa.exp().item():.3f}")
