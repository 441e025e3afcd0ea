# gradwatch-corpus: kind=none
"""Penalises the norm of the parameters' gradient by backward(create_graph=True); .grad is dropped after each update."""
import torch
from torch import nn

torch.manual_seed(39)
net = nn.Sequential(nn.Linear(5, 24), nn.Softplus(), nn.Linear(24, 24), nn.Softplus(), nn.Linear(24, 1))
params = list(net.parameters())
opt = torch.optim.Adam(params, lr=2e-3)


def plain_step(x, y):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss.item(), 0.0


def sharp_step(x, y, lam=0.01):
    for p in params:
        p.grad = None
    loss = nn.functional.mse_loss(net(x), y)
    grads = torch.autograd.grad(loss, params, create_graph=True)
    gn = sum(g.pow(2).sum() for g in grads)
    (loss + lam * gn).backward()
    opt.step()
    return loss.item(), gn.item()


def hvp_trace(x, y, n=2):
    loss = nn.functional.mse_loss(net(x), y)
    for p in params:
        p.grad = None
    loss.backward(create_graph=True)
    g = [p.grad for p in params]
    tr = 0.0
    for _ in range(n):
        v = [torch.randint_like(p, 2) * 2 - 1 for p in params]
        hv = torch.autograd.grad(g, params, v, retain_graph=True)
        tr += sum((a * b).sum() for a, b in zip(hv, v)).item() / n
    for p in params:
        p.grad = None
    return tr


for i in range(150):
    x = torch.randn(32, 5)
    y = x.pow(2).sum(1, keepdim=True).sqrt()
    l, gn = (sharp_step if i % 4 == 0 else plain_step)(x, y)
    if i % 10 == 0:
        t = hvp_trace(x, y)
    if i % 30 == 0:
        print(i, "%.4f" % l, "gn %.4f" % gn, "trace %.2f" % t)
