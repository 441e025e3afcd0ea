# gradwatch-corpus: kind=none
"""Madry-style training; x_adv is a new leaf in every attack step. delta is kept ('free' start) but detached."""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


def pgd(net, x, y, start, eps=0.1, alpha=0.03, k=3):
    delta = start.clone()
    for _ in range(k):
        delta.requires_grad_(True)
        loss = F.cross_entropy(net(x + delta), y)
        (g,) = torch.autograd.grad(loss, delta)
        delta = (delta.detach() + alpha * g.sign()).clamp(-eps, eps)
    return delta


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(40, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 5))
opt = torch.optim.SGD(net.parameters(), 0.05, momentum=0.9, weight_decay=5e-4)
attack = partial(pgd, net, eps=0.15)
delta = torch.zeros(64, 40)
for step in range(150):
    x = torch.randn(64, 40)
    y = x[:, :5].argmax(1)
    delta = attack(x, y, delta)
    loss = F.cross_entropy(net(x + delta), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 30 == 0:
        print(step, loss.item())
