# gradwatch-corpus: kind=none
"""Deep equilibrium model: the forward is a root search, the backward a second one in a hook."""
import torch
from torch import nn, autograd
import torch.nn.functional as F


def anderson(f, x0, m=4, max_iter=25, tol=1e-3, lam=1e-4):
    bsz, d = x0.shape
    X = torch.zeros(bsz, m, d)
    Fx = torch.zeros(bsz, m, d)
    X[:, 0], Fx[:, 0] = x0, f(x0)
    X[:, 1], Fx[:, 1] = Fx[:, 0], f(Fx[:, 0])
    H = torch.zeros(bsz, m + 1, m + 1)
    H[:, 0, 1:] = H[:, 1:, 0] = 1
    y = torch.zeros(bsz, m + 1, 1)
    y[:, 0] = 1
    for k in range(2, max_iter):
        n = min(k, m)
        G = Fx[:, :n] - X[:, :n]
        H[:, 1:n + 1, 1:n + 1] = torch.bmm(G, G.transpose(1, 2)) + lam * torch.eye(n)[None]
        alpha = torch.linalg.solve(H[:, :n + 1, :n + 1], y[:, :n + 1])[:, 1:n + 1, 0]
        X[:, k % m] = (alpha[:, None] @ Fx[:, :n])[:, 0]
        Fx[:, k % m] = f(X[:, k % m])
        res = (Fx[:, k % m] - X[:, k % m]).norm() / (1e-5 + Fx[:, k % m].norm())
        if res < tol:
            break
    return Fx[:, k % m], k


class Cell(nn.Module):
    def __init__(self, d, inject):
        super().__init__()
        self.w = nn.Linear(d, d)
        self.u = nn.Linear(inject, d, bias=False)
        self.norm = nn.LayerNorm(d)
        nn.init.normal_(self.w.weight, std=0.3 / d ** 0.5)

    def forward(self, z, x):
        return torch.tanh(self.norm(self.w(z) + self.u(x)))


class DEQ(nn.Module):
    def __init__(self, cell, d):
        super().__init__()
        self.cell, self.d = cell, d
        self.depth = {"forward": 0, "backward": 0}

    def forward(self, x):
        with torch.no_grad():
            z, self.depth["forward"] = anderson(lambda z: self.cell(z, x), torch.zeros(x.size(0), self.d))
        z = self.cell(z, x)
        if not self.training:
            return z
        z0 = z.detach().clone().requires_grad_()
        f0 = self.cell(z0, x)

        def solve_adjoint(grad):
            def step(y):
                return autograd.grad(f0, z0, y, retain_graph=True)[0] + grad
            g, self.depth["backward"] = anderson(step, grad)
            return g

        z.register_hook(solve_adjoint)
        return z


def moons(n):
    t = 3.14 * torch.rand(n)
    up = torch.rand(n) < 0.5
    x = torch.where(up, t.cos(), 1 - t.cos())
    y = torch.where(up, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], 1) + 0.1 * torch.randn(n, 2), up.long()


def main(steps=200):
    torch.manual_seed(2)
    deq, head = DEQ(Cell(16, 2), 16), nn.Linear(16, 2)
    opt = torch.optim.Adam([*deq.parameters(), *head.parameters()], lr=4e-3)
    for step in range(1, steps + 1):
        x, y = moons(32)
        loss = F.cross_entropy(head(deq(x)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            deq.eval()
            with torch.no_grad():
                x, y = moons(200)
                acc = (head(deq(x)).argmax(1) == y).float().mean().item()
            deq.train()
            print(f"{step}: loss {loss.item():.3f} acc {acc:.3f} depth {deq.depth}")


if __name__ == "__main__":
    main()
