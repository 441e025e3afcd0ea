# gradwatch-corpus: kind=none
"""Deep equilibrium layer: forward by fixed point iteration, backward by another one inside a hook."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(9)


def solve(f, z, tol, limit):
    for k in range(limit):
        nxt = f(z)
        if (nxt - z).norm() < tol * (1e-5 + nxt.norm()):
            return nxt, k + 1
        z = nxt
    return z, limit


class Cell(nn.Module):
    def __init__(self, d_in, d):
        super().__init__()
        self.U = nn.Linear(d_in, d)
        self.W = nn.utils.parametrizations.spectral_norm(nn.Linear(d, d, bias=False))
        self.norm = nn.LayerNorm(d)

    def forward(self, z, x):
        return torch.tanh(0.8 * self.W(z) + self.U(x))


class Equilibrium(nn.Module):
    def __init__(self, cell, tol=1e-3, limit=40):
        super().__init__()
        self.cell, self.tol, self.limit = cell, tol, limit
        self.fwd_iters, self.bwd_iters = [], []
        self.hook = None

    def forward(self, x):
        with torch.no_grad():
            z, n = solve(lambda z: self.cell(z, x), torch.zeros(x.size(0), self.cell.U.out_features), self.tol, self.limit)
        self.fwd_iters.append(n)
        z = self.cell(z, x)
        if not torch.is_grad_enabled():
            return z
        z0 = z.detach().requires_grad_()
        f0 = self.cell(z0, x)

        def backward_hook(grad):
            if self.hook is not None:
                self.hook.remove()
                self.hook = None
            g, k = solve(lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad, self.tol, self.limit)
            self.bwd_iters.append(k)
            return g

        self.hook = z.register_hook(backward_hook)
        return z


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.deq = Equilibrium(Cell(10, 32))
        self.head = nn.Linear(32, 4)

    def forward(self, x):
        return self.head(self.deq(x))


centres = 1.5 * torch.randn(4, 10)


def batch(n):
    y = torch.randint(0, 4, (n,))
    return centres[y] + torch.randn(n, 10), y


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
accs = []
for it in range(140):
    x, y = batch(48)
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 20 == 19:
        net.eval()
        with torch.no_grad():
            xv, yv = batch(200)
            accs.append((net(xv).argmax(1) == yv).float().mean())
        net.train()
        d = net.deq
        print(f"{it:4d} loss {loss:.3f} acc {accs[-1]:.3f} fwd {d.fwd_iters[-2]} bwd {d.bwd_iters[-1]}")
