# gradwatch-corpus: kind=none
import math

import torch
from torch import nn

torch.manual_seed(14)
nu = 0.01 / math.pi


class PINN(nn.Module):
    def __init__(self, w=32):
        super().__init__()
        self.a = nn.Sequential(nn.Linear(2, w), nn.Tanh(), nn.Linear(w, w), nn.Tanh(), nn.Linear(w, w), nn.Tanh(), nn.Linear(w, 1))

    def forward(self, x, t):
        return self.a(torch.cat([x, t], 1))


def D(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(net, x, t):
    u = net(x, t)
    ux, ut = D(u, x), D(u, t)
    return ut + u * ux - nu * D(ux, x)


def collocation(n):
    return (2 * torch.rand(n, 1) - 1).requires_grad_(), torch.rand(n, 1).requires_grad_()


class GradNormWeights:
    """Balances terms with the norm of their gradients at the last layer."""

    def __init__(self, names, alpha=0.9):
        self.w = {n: 1.0 for n in names}
        self.alpha = alpha

    def update(self, terms, p):
        norms = {n: torch.autograd.grad(l, p, retain_graph=True)[0].norm().item() for n, l in terms.items()}
        top = max(norms.values())
        for n, v in norms.items():
            self.w[n] = self.alpha * self.w[n] + (1 - self.alpha) * min(top / (v + 1e-8), 100.0)


net = PINN()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
bal = GradNormWeights(("pde", "ic", "bc"))
hard_x, hard_t = torch.empty(0, 1), torch.empty(0, 1)

for it in range(120):
    x, t = collocation(160)
    if len(hard_x):
        x = torch.cat([x.detach(), hard_x]).requires_grad_()
        t = torch.cat([t.detach(), hard_t]).requires_grad_()
    res = residual(net, x, t)
    xi = 2 * torch.rand(64, 1) - 1
    ti = torch.rand(64, 1)
    terms = {
        "pde": res.pow(2).mean(),
        "ic": (net(xi, torch.zeros_like(xi)) + torch.sin(math.pi * xi)).pow(2).mean(),
        "bc": net(torch.ones_like(ti), ti).pow(2).mean() + net(-torch.ones_like(ti), ti).pow(2).mean(),
    }
    if it % 10 == 0:
        bal.update(terms, net.a[-1].weight)
        k = res.detach().abs().squeeze(1).topk(32).indices
        hard_x, hard_t = x.detach()[k], t.detach()[k]
    loss = sum(bal.w[n] * l for n, l in terms.items())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 30 == 0:
        print(it, {n: round(l.item(), 5) for n, l in terms.items()}, {n: round(v, 2) for n, v in bal.w.items()})
