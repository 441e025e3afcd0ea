# gradwatch-corpus: kind=second-backward
# holder: lb
# first-bad: 20
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
rng = np.random.default_rng(0)
k = 4.0


def exact(x):
    return torch.sin(k * x[:, :1]) * torch.sin(k * x[:, 1:]) / 2


def src(x):
    return -(k**2) * exact(x)          # lap u + k^2 u = q


class FF(nn.Module):
    def __init__(self, m=24, h=32, s=1.2):
        super().__init__()
        self.register_buffer("B", torch.randn(2, m) * s)
        self.l1 = nn.Linear(2 * m, h)
        self.l2 = nn.Linear(h, h)
        self.lo = nn.Linear(h, 1)

    def forward(self, x):
        z = x @ self.B
        z = torch.cat([torch.sin(z), torch.cos(z)], 1)
        return self.lo(torch.tanh(self.l2(torch.tanh(self.l1(z)))))


def lap(u, x):
    g, = torch.autograd.grad(u.sum(), x, create_graph=True)
    s = 0.0
    for i in range(x.shape[1]):
        s = s + torch.autograd.grad(g[:, i].sum(), x, create_graph=True)[0][:, i:i + 1]
    return s


def interior(n):
    return torch.tensor(rng.uniform(-1, 1, (n, 2)), dtype=torch.float32, requires_grad=True)


def border(n):
    x = rng.uniform(-1, 1, (n, 2))
    j = rng.integers(0, 2, n)
    x[np.arange(n), j] = rng.choice([-1.0, 1.0], n)
    return torch.tensor(x, dtype=torch.float32)


def gnorm(ls, q, keep):
    g = torch.autograd.grad(ls, q, retain_graph=keep)
    return torch.sqrt(sum(v.pow(2).sum() for v in g))


net = FF()
q = list(net.l2.parameters())
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
lw, every, beta = 1.0, 20, 0.7

for it in range(200):
    x, xb = interior(128), border(64)
    u = net(x)
    lf = (lap(u, x) + k**2 * u - src(x)).pow(2).mean() / k**4
    lb = (net(xb) - exact(xb)).pow(2).mean()
    if it and it % every == 0:
        gf = gnorm(lf, q, True)
        gb = gnorm(lb, q, False)  # <- culprit
        lw = beta * lw + (1 - beta) * (gf / (gb + 1e-9)).item()
    L = lf + lw * lb
    opt.zero_grad()
    L.backward()
    opt.step()
    if it % 10 == 0:
        print(f"{it:4d}  lf {lf.item():.3e}  lb {lb.item():.3e}  w {lw:.2f}")

with torch.no_grad():
    xt = torch.tensor(rng.uniform(-1, 1, (2000, 2)), dtype=torch.float32)
    print("rel L2", ((net(xt) - exact(xt)).norm() / exact(xt).norm()).item())
