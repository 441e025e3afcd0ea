# gradwatch-corpus: kind=none
"""MAML (second order) on small regression tasks, functional style. Gist."""
import math
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(7)


def init(sizes=(1, 16, 16, 1)):
    ps = []
    for i, o in zip(sizes[:-1], sizes[1:]):
        ps += [(torch.randn(o, i) / math.sqrt(i)).requires_grad_(), torch.zeros(o, requires_grad=True)]
    return ps


def forward(ps, x):
    for k in range(0, len(ps) - 2, 2):
        x = torch.tanh(F.linear(x, ps[k], ps[k + 1]))
    return F.linear(x, ps[-2], ps[-1])


def task():
    a, b = 0.5 + 2 * torch.rand(()), math.pi * torch.rand(())
    return lambda k: (lambda x: (x, a * torch.sin(x + b)))(torch.rand(k, 1) * 6 - 3)


def adapt(ps, draw, lr=0.05, steps=2):
    fast = list(ps)
    for _ in range(steps):
        x, y = draw(6)
        grads = torch.autograd.grad(F.mse_loss(forward(fast, x), y), fast, create_graph=True)
        fast = [p - lr * g for p, g in zip(fast, grads)]
    return fast


meta = init()
opt = torch.optim.Adam(meta, lr=3e-3)
ema = None
for it in range(420):
    outer = []
    for _ in range(3):
        draw = task()
        fast = adapt(meta, draw)
        x, y = draw(8)
        outer.append(F.mse_loss(forward(fast, x), y))
    loss = torch.stack(outer).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema = loss.item() if ema is None else 0.95 * ema + 0.05 * loss.item()
    if it % 70 == 69:
        print(f"{it + 1:4d} outer loss {ema:.3f}")
