# gradwatch-corpus: kind=none
import numpy as np
import torch
from torch import nn


class FourierMLP(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.register_buffer("B", torch.randn(2, 10))
        self.a = nn.Linear(20, width)
        self.b = nn.Linear(width, width)
        self.c = nn.Linear(width, 1)

    def forward(self, x, t):
        z = torch.cat([x, t], 1) @ self.B
        z = torch.cat([z.sin(), z.cos()], 1)
        return self.c(torch.tanh(self.b(torch.tanh(self.a(z)))))


def D(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class BurgersPINN:
    def __init__(self, nu=0.01 / np.pi):
        self.nu = nu
        self.net = FourierMLP()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)
        self.pool = None
        self.pool_scores = None
        self.weights = {"pde": 1.0, "ic": 10.0, "bc": 1.0}
        self.history = []

    def residual(self, x, t):
        u = self.net(x, t)
        u_t = D(u, t)
        u_x = D(u, x)
        u_xx = D(u_x, x)
        return u_t + u * u_x - self.nu * u_xx

    def refresh_pool(self, n=400):
        x = torch.empty(n, 1).uniform_(-1, 1).requires_grad_()
        t = torch.empty(n, 1).uniform_(0, 1).requires_grad_()
        r = self.residual(x, t)
        self.pool = (x.detach(), t.detach())
        self.pool_scores = r.detach().abs().squeeze(1) + 1e-3

    def collocation(self, n=128):
        idx = torch.multinomial(self.pool_scores, n)
        x, t = self.pool
        return x[idx].requires_grad_(), t[idx].requires_grad_()

    def losses(self):
        x, t = self.collocation()
        pde = self.residual(x, t).pow(2).mean()
        x0 = torch.empty(64, 1).uniform_(-1, 1)
        ic = (self.net(x0, torch.zeros_like(x0)) + torch.sin(np.pi * x0)).pow(2).mean()
        tb = torch.rand(32, 1)
        bc = self.net(torch.ones_like(tb), tb).pow(2).mean()
        bc = bc + self.net(-torch.ones_like(tb), tb).pow(2).mean()
        return {"pde": pde, "ic": ic, "bc": bc}

    def train(self, iters):
        for k in range(iters):
            if k % 25 == 0:
                self.refresh_pool()
            parts = self.losses()
            total = sum(self.weights[n] * v for n, v in parts.items())
            self.opt.zero_grad()
            total.backward()
            self.opt.step()
            self.history.append({n: v.item() for n, v in parts.items()})
            if k % 40 == 0:
                print(k, {n: f"{v:.2e}" for n, v in self.history[-1].items()})


np.random.seed(0)
torch.manual_seed(0)
BurgersPINN().train(120)
