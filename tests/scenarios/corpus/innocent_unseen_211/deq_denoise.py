# gradwatch-corpus: kind=none
import torch
from torch import nn, autograd
import torch.nn.functional as F


def anderson(f, x0, m=4, lam=1e-4, max_iter=18, tol=1e-3, beta=1.0):
    b, d = x0.shape
    X, G = x0.new_zeros(b, m, d), x0.new_zeros(b, m, d)
    X[:, 0], G[:, 0] = x0, f(x0)
    X[:, 1], G[:, 1] = G[:, 0], f(G[:, 0])
    H = x0.new_zeros(b, m + 1, m + 1)
    H[:, 0, 1:] = H[:, 1:, 0] = 1
    y = x0.new_zeros(b, m + 1, 1)
    y[:, 0] = 1
    for k in range(2, max_iter):
        n = min(k, m)
        R = G[:, :n] - X[:, :n]
        H[:, 1:n + 1, 1:n + 1] = R @ R.transpose(1, 2) + lam * torch.eye(n)
        alpha = torch.linalg.solve(H[:, :n + 1, :n + 1], y[:, :n + 1])[:, 1:n + 1, 0]
        X[:, k % m] = beta * (alpha[:, None] @ G[:, :n])[:, 0] + (1 - beta) * (alpha[:, None] @ X[:, :n])[:, 0]
        G[:, k % m] = f(X[:, k % m])
        res = (G[:, k % m] - X[:, k % m]).norm() / (1e-5 + G[:, k % m].norm())
        if res < tol:
            break
    return X[:, k % m].clone(), k


class Block(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.a, self.b, self.inj = nn.Linear(dim, width), nn.Linear(width, dim), nn.Linear(dim, dim)
        nn.init.normal_(self.b.weight, std=0.05)

    def forward(self, z, x):
        return torch.tanh(self.inj(x) + self.b(torch.tanh(self.a(z))))


class DEQ(nn.Module):
    def __init__(self, block):
        super().__init__()
        self.block, self.warm, self.iters = block, None, []

    def forward(self, x):
        z0 = torch.zeros_like(x) if self.warm is None else self.warm.expand_as(x).contiguous()
        with torch.no_grad():
            z, k = anderson(lambda z: self.block(z, x), z0)
        self.iters.append(k)
        self.warm = z.mean(0, keepdim=True)
        z = self.block(z, x)
        if self.training:
            zl = z.detach().requires_grad_()
            fl = self.block(zl, x.detach())

            def solve(grad):
                return anderson(lambda v: autograd.grad(fl, zl, v, retain_graph=True)[0] + grad, grad)[0]

            z.register_hook(solve)
        return z


def patches(n, dim, g):
    basis = torch.linspace(0, 3.14, dim)
    f = torch.randint(1, 6, (n, 1), generator=g)
    clean = torch.sin(basis * f + torch.rand(n, 1, generator=g))
    return clean + 0.4 * torch.randn(n, dim, generator=g), clean


def main():
    torch.manual_seed(4)
    g = torch.Generator().manual_seed(4)
    deq, out = DEQ(Block(24, 32)), nn.Linear(24, 24)
    opt = torch.optim.Adam([*deq.parameters(), *out.parameters()], lr=3e-3)
    for it in range(80):
        x, y = patches(32, 24, g)
        loss = F.mse_loss(out(deq(x)), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(deq.parameters(), 1.0)
        opt.step()
        if it % 20 == 0:
            print(it, round(loss.item(), 4), deq.iters[-1])


if __name__ == "__main__":
    main()
