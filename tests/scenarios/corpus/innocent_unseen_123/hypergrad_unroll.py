# gradwatch-corpus: kind=none
# Learning per-feature regularisation by unrolling eight inner steps, hypergradient through all of them, then a fresh start.
from functools import reduce

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(200)

FEATS, UNROLL = 12, 8


def survey(n):
    x = torch.randn(n, FEATS)
    beta = torch.zeros(FEATS)
    beta[:3] = torch.tensor([1.0, -2.0, 0.5])
    return x, x @ beta + 0.8 * torch.randn(n)


def inner_objective(w, log_pen, x, y):
    return (x @ w - y).square().mean() + (log_pen.exp() * w.square()).sum()


def unroll(log_pen, log_lr, x, y):
    def once(w, _):
        (g,) = torch.autograd.grad(inner_objective(w, log_pen, x, y), w, create_graph=True)
        return w - log_lr.exp() * g

    start = torch.zeros(FEATS, requires_grad=True)
    return reduce(once, range(UNROLL), start)


log_pen = nn.Parameter(torch.full((FEATS,), -3.0))
log_lr = nn.Parameter(torch.tensor(-2.0))
outer = torch.optim.Adam([log_pen, log_lr], lr=0.02)
for k in range(500):
    w = unroll(log_pen, log_lr, *survey(18))
    x, y = survey(30)
    held_out = (x @ w - y).square().mean()
    outer.zero_grad()
    held_out.backward()
    outer.step()
    if k % 125 == 124:
        print(k + 1, round(held_out.item(), 3), [round(v, 1) for v in log_pen.tolist()[:5]])
