# gradwatch-corpus: kind=none
"""Inverse PINN: viscosity and velocity of a decaying shear layer."""
import torch
from torch import nn

TRUE_NU = 0.08


def exact(x, t):
    return torch.exp(-TRUE_NU * torch.pi ** 2 * t) * torch.sin(torch.pi * x)


class ShearNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, width),
            nn.Tanh(),
            nn.Linear(width, width),
            nn.Tanh(),
            nn.Linear(width, 1),
        )
        self.log_nu = nn.Parameter(torch.tensor(-1.5))

    def forward(self, x, t):
        return x * (1.0 - x) * self.net(torch.cat([x, t], dim=1))


def derivative(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


class ResidualSampler:
    """Keeps the collocation points with the largest residual."""

    def __init__(self, n, keep, gen):
        self.n = n
        self.keep = keep
        self.gen = gen
        self.hard = torch.rand(keep, 2, generator=gen)

    def draw(self):
        fresh = torch.rand(self.n - self.keep, 2, generator=self.gen)
        points = torch.cat([self.hard, fresh])
        x = points[:, :1].clone().requires_grad_(True)
        t = points[:, 1:].clone().requires_grad_(True)
        return x, t

    def feedback(self, x, t, residual):
        worst = residual.abs().squeeze(1).topk(self.keep).indices
        self.hard = torch.cat([x, t], dim=1)[worst].detach()


class InverseFit:
    def __init__(self, seed):
        gen = torch.Generator().manual_seed(seed)
        self.model = ShearNet()
        self.sampler = ResidualSampler(96, 24, gen)
        self.xd = torch.rand(60, 1, generator=gen)
        self.td = torch.rand(60, 1, generator=gen)
        self.ud = exact(self.xd, self.td) + 0.005 * torch.randn(60, 1, generator=gen)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=6e-3)
        self.history = {"pde": [], "data": [], "nu": []}

    def pde(self, x, t):
        u = self.model(x, t)
        u_t = derivative(u, t)
        u_xx = derivative(derivative(u, x), x)
        return u_t - self.model.log_nu.exp() * u_xx

    def iterate(self):
        x, t = self.sampler.draw()
        residual = self.pde(x, t)
        pde = residual.square().mean()
        data = (self.model(self.xd, self.td) - self.ud).square().mean()
        loss = 0.1 * pde + data
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sampler.feedback(x, t, residual)
        self.history["pde"].append(pde.item())
        self.history["data"].append(data.item())
        self.history["nu"].append(self.model.log_nu.exp().item())


if __name__ == "__main__":
    torch.manual_seed(44)
    fit = InverseFit(3)
    for k in range(180):
        fit.iterate()
        if k % 45 == 0:
            print(k, {n: round(v[-1], 5) for n, v in fit.history.items()})
    print("nu", round(fit.history["nu"][-1], 4))
