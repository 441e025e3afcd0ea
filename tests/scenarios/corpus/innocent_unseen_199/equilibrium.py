# gradwatch-corpus: kind=none
"""Deep equilibrium layer, gradients by the implicit function theorem, warm-started solves."""
import torch
from torch import nn


class Cell(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Linear(dim, dim, bias=False)
        self.u = nn.Linear(dim, dim)
        with torch.no_grad():
            self.w.weight.mul_(0.5)

    def forward(self, z, x):
        return torch.tanh(0.7 * self.w(z) + self.u(x))


def solve(f, z, tol=1e-4, most=12):
    for n in range(most):
        new = f(z)
        gap = (new - z).norm() / (new.norm() + 1e-8)
        z = new
        if gap < tol:
            break
    return z, n + 1


class Equilibrium(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell
        self.warm = {}
        self.last = None
        self.counts = {"forward": [], "backward": []}

    def forward(self, x, key):
        start = self.warm.get(key)
        if start is None:
            start = torch.zeros_like(x)
        with torch.no_grad():
            z, n = solve(lambda s: self.cell(s, x), start)
        self.counts["forward"].append(n)
        z = self.cell(z, x)
        z0 = z.detach().requires_grad_()
        f0 = self.cell(z0, x)

        def adjoint(grad):
            g, m = solve(lambda v: torch.autograd.grad(f0, z0, v, retain_graph=True)[0] + grad, grad)
            self.counts["backward"].append(m)
            return g

        if z.requires_grad:
            z.register_hook(adjoint)
        self.warm[key] = z.detach()
        self.last = z
        return z


def main():
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(6)
    data = torch.randn(10, 32, 16, generator=gen)
    target = torch.sin(data @ torch.randn(16, 4, generator=gen) * 0.5)
    layer = Equilibrium(Cell(16))
    head = nn.Linear(16, 4)
    opt = torch.optim.Adam([*layer.parameters(), *head.parameters()], lr=3e-3)
    errors = [[] for _ in range(10)]
    for it in range(450):
        key = it % 10
        z = layer(data[key], key)
        loss = (head(z) - target[key]).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        errors[key].append(loss.detach())
        if it % 90 == 89:
            recent = torch.stack([e[-1] for e in errors]).mean().item()
            f, b = (sum(c[-50:]) / 50 for c in layer.counts.values())
            print(it + 1, round(recent, 4), f, b, layer.last.abs().max().item())


main()
