# gradwatch-corpus: kind=none
# Groundwater wells: ring of the last five weight snapshots, evaluated as an ensemble by stack + vmap.
from collections import deque

import torch
from torch import nn
from torch.func import functional_call, vmap

torch.set_num_threads(1)
torch.manual_seed(240)

net = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))
ring = deque(maxlen=5)
skeleton = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1)).to("meta")


def snapshot(module):
    return {k: p.detach().clone() for k, p in module.named_parameters()}


def ensemble(x):
    stacked = {k: torch.stack([s[k] for s in ring]) for k in ring[0]}
    with torch.no_grad():
        return vmap(lambda p: functional_call(skeleton, p, (x,)))(stacked).mean(0)


def wells(n):
    x = torch.rand(n, 3)
    return x, torch.exp(-3 * x[:, :1]) + 0.5 * x[:, 1:2] * x[:, 2:]


opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
cycle = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=100)
for i in range(1500):
    x, head = wells(16)
    pred = net(x)
    loss = nn.functional.mse_loss(pred, head)
    if len(ring) == ring.maxlen:
        loss = loss + 0.1 * nn.functional.mse_loss(pred, ensemble(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
    cycle.step()
    if i % 20 == 19:
        ring.append(snapshot(net))
    if i % 375 == 374:
        print(i + 1, f"{loss.item():.5f}")
