# gradwatch-corpus: kind=none
import math
import random

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class Sine:
    def __init__(self):
        self.a, self.p = random.uniform(0.1, 5), random.uniform(0, math.pi)

    def batch(self, k=10):
        x = torch.rand(k, 1) * 10 - 5
        return x, self.a * torch.sin(x - self.p)


def inner(net, task, steps=2, lr=0.01):
    fast = dict(net.named_parameters())
    x, y = task.batch()
    for _ in range(steps):
        loss = F.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=True)
        fast = {n: w - lr * g for (n, w), g in zip(fast.items(), grads)}
    return fast


random.seed(0)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, 1))
meta = torch.optim.Adam(net.parameters(), lr=1e-3)
for it in range(110):
    meta_loss = 0.0
    for _ in range(2):
        task = Sine()
        fast = inner(net, task)
        xq, yq = task.batch()
        meta_loss = meta_loss + F.mse_loss(functional_call(net, fast, (xq,)), yq)
    meta.zero_grad()
    (meta_loss / 2).backward()
    meta.step()
    if it % 20 == 0:
        print(it, meta_loss.item() / 2)
