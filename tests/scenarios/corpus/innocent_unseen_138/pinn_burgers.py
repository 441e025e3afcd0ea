# gradwatch-corpus: kind=none
"""Physics-informed net for viscous Burgers: Adam warm-up, then L-BFGS."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1234)

NU = 0.05


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class PINN(nn.Module):
    def __init__(self, width=16, depth=3):
        super().__init__()
        dims = [2] + [width] * depth + [1]
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))

    def forward(self, x, t):
        h = torch.cat([x, t], 1)
        for lin in self.linears[:-1]:
            h = torch.tanh(lin(h))
        return self.linears[-1](h)

    def residual(self, x, t):
        u = self(x, t)
        u_x, u_t = d(u, x), d(u, t)
        return u_t + u * u_x - NU * d(u_x, x)


class Problem:
    def __init__(self, n_f=60, n_b=20):
        self.x_f = (2 * torch.rand(n_f, 1) - 1).requires_grad_(True)
        self.t_f = torch.rand(n_f, 1).requires_grad_(True)
        self.x_0 = torch.linspace(-1, 1, n_b)[:, None]
        self.u_0 = -torch.sin(math.pi * self.x_0)
        self.t_b = torch.rand(n_b, 1)

    def losses(self, net):
        pde = net.residual(self.x_f, self.t_f).pow(2).mean()
        ic = (net(self.x_0, torch.zeros_like(self.x_0)) - self.u_0).pow(2).mean()
        one = torch.ones_like(self.t_b)
        bc = net(one, self.t_b).pow(2).mean() + net(-one, self.t_b).pow(2).mean()
        return pde, ic, bc


def solve():
    net, prob = PINN(), Problem()
    log = {"pde": [], "ic": [], "bc": []}

    def total_loss():
        parts = prob.losses(net)
        for name, p in zip(log, parts):
            log[name].append(p.item())
        return sum(parts)

    adam = torch.optim.Adam(net.parameters(), lr=3e-3)
    for it in range(600):
        adam.zero_grad()
        loss = total_loss()
        loss.backward()
        adam.step()
        if it % 150 == 0:
            print("adam", it, round(loss.item(), 5))

    lbfgs = torch.optim.LBFGS(net.parameters(), lr=0.8, max_iter=4, history_size=10, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        loss = total_loss()
        loss.backward()
        return loss

    for outer in range(100):
        loss = lbfgs.step(closure)
        if outer % 25 == 24:
            print("lbfgs", outer + 1, {k: round(v[-1], 6) for k, v in log.items()}, "total", round(float(loss.detach()), 6))


if __name__ == "__main__":
    solve()
