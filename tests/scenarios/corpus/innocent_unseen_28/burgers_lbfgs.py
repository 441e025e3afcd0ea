# gradwatch-corpus: kind=none
# after: PINNs-PyTorch repositories (Burgers), LBFGS closure with nested autograd.grad(create_graph=True)
"""Burgers' equation with a physics-informed network: Adam first, then LBFGS. Course project."""
import math
import time

import torch
import torch.nn as nn

torch.manual_seed(1234)


class PINN(nn.Module):
    def __init__(self, layers=(2, 20, 20, 20, 1)):
        super().__init__()
        self.linears = nn.ModuleList([nn.Linear(i, o) for i, o in zip(layers[:-1], layers[1:])])
        for lin in self.linears:
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)

    def forward(self, x, t):
        h = torch.cat([x, t], dim=1)
        for lin in self.linears[:-1]:
            h = torch.tanh(lin(h))
        return self.linears[-1](h)


class BurgersSolver:
    nu = 0.01 / math.pi

    def __init__(self, n_f=300, n_b=60):
        self.u = PINN()
        self.x_f = 2 * torch.rand(n_f, 1) - 1
        self.t_f = torch.rand(n_f, 1)
        self.x_0 = 2 * torch.rand(n_b, 1) - 1
        self.t_b = torch.rand(n_b, 1)
        self.iter = 0
        self.log = []

    @staticmethod
    def d(y, x):
        return torch.autograd.grad(y, x, torch.ones_like(y), retain_graph=True, create_graph=True)[0]

    def residual(self):
        x = self.x_f.clone().requires_grad_(True)
        t = self.t_f.clone().requires_grad_(True)
        u = self.u(x, t)
        u_t = self.d(u, t)
        u_x = self.d(u, x)
        u_xx = self.d(u_x, x)
        return u_t + u * u_x - self.nu * u_xx

    def loss(self):
        init = self.u(self.x_0, torch.zeros_like(self.x_0)) + torch.sin(math.pi * self.x_0)
        left = self.u(-torch.ones_like(self.t_b), self.t_b)
        right = self.u(torch.ones_like(self.t_b), self.t_b)
        bc = (init ** 2).mean() + (left ** 2).mean() + (right ** 2).mean()
        pde = (self.residual() ** 2).mean()
        return bc + pde, bc, pde

    def adam(self, steps):
        opt = torch.optim.Adam(self.u.parameters(), lr=2e-3)
        for _ in range(steps):
            opt.zero_grad()
            loss, bc, pde = self.loss()
            loss.backward()
            opt.step()
            self.note(loss, bc, pde)

    def lbfgs(self, steps):
        opt = torch.optim.LBFGS(self.u.parameters(), lr=0.8, max_iter=5, history_size=20,
                                line_search_fn='strong_wolfe')

        def closure():
            opt.zero_grad()
            loss, bc, pde = self.loss()
            loss.backward()
            self.note(loss, bc, pde)
            return loss

        for _ in range(steps):
            opt.step(closure)

    def note(self, loss, bc, pde):
        self.iter += 1
        self.log.append((self.iter, loss.item(), bc.item(), pde.item()))
        if self.iter % 60 == 0:
            print('it %4d  loss %.3e  bc %.3e  pde %.3e' % self.log[-1])


if __name__ == '__main__':
    t0 = time.time()
    solver = BurgersSolver()
    solver.adam(100)
    print('--- lbfgs')
    solver.lbfgs(30)
    with torch.no_grad():
        x = torch.linspace(-1, 1, 9).view(-1, 1)
        print('u(x, 0.5) =', [round(v, 2) for v in solver.u(x, torch.full_like(x, 0.5)).squeeze(1).tolist()])
    print('%.1f s' % (time.time() - t0))
