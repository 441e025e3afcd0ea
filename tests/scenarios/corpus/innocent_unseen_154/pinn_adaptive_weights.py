# gradwatch-corpus: kind=none
# Wang, Teng, Perdikaris 2020: learning rate annealing for PINNs (1D Poisson).
import math

import torch
import torch.nn as nn

torch.manual_seed(6)
torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)


class MLP(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths[:-1], widths[1:]))

    def forward(self, x):
        for l in self.layers[:-1]:
            x = torch.tanh(l(x))
        return self.layers[-1](x)


class Poisson1D:
    """u'' = -pi^2 sin(pi x) on [0, 1], zero boundary."""
    k = math.pi

    def exact(self, x):
        return torch.sin(self.k * x)

    def residual(self, net, x):
        x = x.requires_grad_(True)
        u = net(x)
        ux = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
        uxx = torch.autograd.grad(ux.sum(), x, create_graph=True)[0]
        return uxx + self.k ** 2 * torch.sin(self.k * x)


class AnnealedPINN:
    def __init__(self, problem, alpha=0.1):
        self.problem, self.alpha = problem, alpha
        self.net = MLP([1, 30, 30, 1])
        self.lam = 1.0
        self.opt = torch.optim.Adam(self.net.parameters(), 2e-3)
        self.history = {"res": [], "bc": [], "lam": []}

    def losses(self):
        x = torch.rand(50, 1)
        res = self.problem.residual(self.net, x).pow(2).mean()
        xb = torch.tensor([[0.0], [1.0]])
        bc = (self.net(xb) - self.problem.exact(xb)).pow(2).mean()
        return res, bc

    def balance(self, res, bc):
        weights = [l.weight for l in self.net.layers]
        g_res = torch.autograd.grad(res, weights, retain_graph=True)
        g_bc = torch.autograd.grad(bc, weights, retain_graph=True)
        top = max(g.abs().max().item() for g in g_res)
        mean = torch.cat([g.abs().flatten() for g in g_bc]).mean().item()
        self.lam = (1 - self.alpha) * self.lam + self.alpha * top / (mean * max(self.lam, 1e-8))

    def train(self, n):
        for it in range(n):
            res, bc = self.losses()
            if it % 10 == 0:
                self.balance(res, bc)
            self.opt.zero_grad()
            (res + self.lam * bc).backward()
            self.opt.step()
            self.history["res"].append(res.item())
            self.history["bc"].append(bc.item())
            self.history["lam"].append(self.lam)
            if it % 40 == 0:
                print(f"It {it}: res {res.item():.3e} bc {bc.item():.3e} lam {self.lam:.2f}")


pinn = AnnealedPINN(Poisson1D())
pinn.train(200)
xs = torch.linspace(0, 1, 101).view(-1, 1)
with torch.no_grad():
    err = (pinn.net(xs) - pinn.problem.exact(xs)).norm() / pinn.problem.exact(xs).norm()
print("relative L2 error", err.item())
