# gradwatch-corpus: kind=none
"""PINN with balancing of the loss terms by their gradient norms (three walks over one graph)."""
import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(20)


class Fourier(nn.Module):
    def __init__(self, m=6):
        super().__init__()
        self.register_buffer("B", torch.randn(2, m))
        self.lin = nn.Sequential(nn.Linear(2 * m, 12), nn.Tanh(), nn.Linear(12, 1))

    def forward(self, x, t):
        p = torch.cat([x, t], 1) @ self.B
        return self.lin(torch.cat([p.sin(), p.cos()], 1))


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class Balancer:
    def __init__(self, params, names, beta=0.9):
        self.params = list(params)
        self.w = {n: 1.0 for n in names}
        self.beta = beta

    def refresh(self, terms):
        norms = {}
        for n, v in terms.items():
            g = torch.autograd.grad(v, self.params, retain_graph=True, allow_unused=True)
            norms[n] = math.sqrt(sum(float(x.pow(2).sum()) for x in g if x is not None)) + 1e-8
        top = max(norms.values())
        for n in self.w:
            self.w[n] = self.beta * self.w[n] + (1 - self.beta) * min(top / norms[n], 50.0)


net = Fourier()
opt = torch.optim.Adam(net.parameters(), 2e-3)
bal = Balancer(net.parameters(), ("wave", "start", "rest"))
for k in range(450):
    x, t = torch.rand(20, 1, requires_grad=True), torch.rand(20, 1, requires_grad=True)
    u = net(x, t)
    x0 = torch.rand(12, 1)
    z = torch.zeros(12, 1, requires_grad=True)
    u0 = net(x0, z)
    terms = {
        "wave": (d(d(u, t), t) - d(d(u, x), x)).pow(2).mean(),
        "start": (u0 - torch.sin(math.pi * x0)).pow(2).mean(),
        "rest": d(u0, z).pow(2).mean(),
    }
    if k % 5 == 0:
        bal.refresh(terms)
    loss = sum(bal.w[n] * v for n, v in terms.items())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if k % 150 == 0:
        print(k, f"{loss.item():.3f}", {n: round(w, 2) for n, w in bal.w.items()})
