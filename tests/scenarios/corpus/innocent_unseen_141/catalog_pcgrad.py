# gradwatch-corpus: kind=none
# Product catalog: category, price and return risk from one trunk; conflicting gradients are projected.
import random

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(61)
random.seed(61)

trunk = nn.Sequential(nn.Linear(15, 32), nn.ReLU(), nn.Linear(32, 20), nn.ReLU())
heads = nn.ModuleList([nn.Linear(20, 5), nn.Linear(20, 1), nn.Linear(20, 1)])
rule = torch.randn(15, 7)
opt = torch.optim.Adam([*trunk.parameters(), *heads.parameters()], lr=2e-3)


def items(n=16):
    x = torch.randn(n, 15)
    z = x @ rule
    return x, z[:, :5].argmax(1), z[:, 5], (z[:, 6] > 0).float()


def task_losses(x, cat, price, risk):
    h = trunk(x)
    yield F.cross_entropy(heads[0](h), cat)
    yield F.smooth_l1_loss(heads[1](h).squeeze(1), price)
    yield F.binary_cross_entropy_with_logits(heads[2](h).squeeze(1), risk)


def project(flat):
    out = [g.clone() for g in flat]
    for i, g in enumerate(out):
        for j in random.sample(range(len(flat)), len(flat)):
            dot = torch.dot(g, flat[j])
            if j != i and dot < 0:
                g -= dot / flat[j].square().sum().clamp_min(1e-12) * flat[j]
    return torch.stack(out).sum(0)


def scatter(vector, params):
    at = 0
    for p in params:
        p.grad = vector[at:at + p.numel()].view_as(p)
        at += p.numel()


shared = list(trunk.parameters())
for step in range(500):
    losses = list(task_losses(*items()))
    opt.zero_grad()
    flat = []
    for k, loss in enumerate(losses):
        own = list(heads[k].parameters())
        grads = torch.autograd.grad(loss, shared + own, retain_graph=k + 1 < len(losses))
        flat.append(torch.cat([g.flatten() for g in grads[:len(shared)]]))
        for p, g in zip(own, grads[len(shared):]):
            p.grad = g
    scatter(project(flat), shared)
    opt.step()
    if step % 100 == 0:
        print(step, [round(l.item(), 3) for l in losses])
