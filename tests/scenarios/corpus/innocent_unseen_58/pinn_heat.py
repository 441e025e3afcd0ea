# gradwatch-corpus: kind=none
"""PINN for the 1d heat equation, with gradient-norm balancing of the two losses."""
import torch
import torch.nn as nn

torch.manual_seed(8)
torch.set_num_threads(1)


def d(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, x, t):
        return self.f(torch.cat([x, t], 1))


class Balancer:
    """lambda <- moving average of |grad pde| / |grad boundary|"""

    def __init__(self, params, rate=0.1):
        self.params, self.rate, self.lam = list(params), rate, torch.tensor(1.0)

    def norm(self, loss):
        gs = torch.autograd.grad(loss, self.params, retain_graph=True, allow_unused=True)
        return torch.cat([g.flatten() for g in gs if g is not None]).norm()

    def update(self, pde, bc):
        ratio = self.norm(pde) / (self.norm(bc) + 1e-8)
        self.lam = (1 - self.rate) * self.lam + self.rate * ratio
        return self.lam


def residual(u, n=64, alpha=0.1):
    x = torch.rand(n, 1, requires_grad=True)
    t = torch.rand(n, 1, requires_grad=True)
    y = u(x, t)
    return (d(y, t) - alpha * d(d(y, x), x)).pow(2).mean()


def boundary(u, n=32):
    x, t = torch.rand(n, 1), torch.rand(n, 1)
    start = (u(x, torch.zeros_like(x)) - torch.sin(torch.pi * x)).pow(2).mean()
    walls = u(torch.zeros_like(t), t).pow(2).mean() + u(torch.ones_like(t), t).pow(2).mean()
    return start + walls


u = Field()
opt = torch.optim.Adam(u.parameters(), lr=3e-3)
balance = Balancer(u.parameters())
log = {"pde": [], "bc": []}
for it in range(150):
    pde, bc = residual(u), boundary(u)
    lam = balance.update(pde, bc) if it % 5 == 0 else balance.lam
    loss = pde + lam * bc
    opt.zero_grad()
    loss.backward()
    opt.step()
    log["pde"].append(pde.item())
    log["bc"].append(bc.item())
    if it % 30 == 0:
        print(it, log["pde"][-1], log["bc"][-1], lam.item())
