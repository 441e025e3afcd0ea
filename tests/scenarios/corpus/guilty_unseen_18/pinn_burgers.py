# gradwatch-corpus: kind=graph-held
# holder: self.velocity[i] | self.velocity | opt.velocity | optimizer.velocity | v | g
# first-bad: 1
"""Physics-informed net for the viscous Burgers equation, trained with our own heavy-ball optimizer
(the stock one did not give us the per-tensor trust ratio)."""
import math

import torch

NU = 0.01 / math.pi


def init_mlp(sizes):
    params = []
    for n_in, n_out in zip(sizes[:-1], sizes[1:]):
        w = torch.randn(n_in, n_out) * math.sqrt(2.0 / (n_in + n_out))
        params += [w.requires_grad_(), torch.zeros(n_out, requires_grad=True)]
    return params


def net(params, t, x):
    h = torch.stack([t, x], dim=-1)
    layers = list(zip(params[::2], params[1::2]))
    for w, b in layers[:-1]:
        h = torch.tanh(h @ w + b)
    w, b = layers[-1]
    return (h @ w + b).squeeze(-1)


def d(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


def residual(params, t, x):
    t = t.requires_grad_()
    x = x.requires_grad_()
    u = net(params, t, x)
    u_x = d(u, x)
    return d(u, t) + u * u_x - NU * d(u_x, x)


def boundary_terms(params, gen, n):
    x = 2 * torch.rand(n, generator=gen) - 1
    initial = (net(params, torch.zeros(n), x) + torch.sin(math.pi * x)).pow(2).mean()
    t = torch.rand(n, generator=gen)
    left = net(params, t, -torch.ones(n)).pow(2).mean()
    right = net(params, t, torch.ones(n)).pow(2).mean()
    return initial, left + right


class TrustHeavyBall:
    """Momentum with a LARS-like ratio |p| / |v| per tensor."""

    def __init__(self, params, lr, momentum=0.9, eps=1e-8, max_ratio=5.0):
        self.params = params
        self.lr, self.momentum, self.eps, self.max_ratio = lr, momentum, eps, max_ratio
        self.velocity = [torch.zeros_like(p) for p in params]

    def ratio(self, p, v):
        if p.dim() < 2:
            return 1.0
        return float((p.norm() / (v.norm() + self.eps)).clamp(max=self.max_ratio))

    def step(self, grads):
        for i, (p, g) in enumerate(zip(self.params, grads)):
            v = self.momentum * self.velocity[i] + g
            self.velocity[i] = v  # <- culprit
            with torch.no_grad():
                p -= self.lr * self.ratio(p, v) * v


def gradients(loss, params):
    return torch.autograd.grad(loss, params, create_graph=True)  # <- culprit


def warm_cosine(peak, warm, total):
    def at(step):
        if step < warm:
            return peak * (step + 1) / warm
        z = (step - warm) / max(1, total - warm)
        return 0.5 * peak * (1 + math.cos(math.pi * z))

    return at


def solve(steps=220, n_col=96, n_bnd=32):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    params = init_mlp((2, 20, 20, 1))
    optimizer = TrustHeavyBall(params, lr=1e-3)
    lr_at = warm_cosine(2e-3, 20, steps)
    for step in range(steps):
        optimizer.lr = lr_at(step)
        t = torch.rand(n_col, generator=gen)
        x = 2 * torch.rand(n_col, generator=gen) - 1
        pde = residual(params, t, x).pow(2).mean()
        initial, walls = boundary_terms(params, gen, n_bnd)
        loss = pde + 10.0 * initial + walls
        optimizer.step(gradients(loss, params))
        if step % 44 == 43:
            print(f"step {step + 1:4d} pde {pde.item():.4e} ic {initial.item():.4e} bc {walls.item():.4e}")
    return params


if __name__ == "__main__":
    solve()
