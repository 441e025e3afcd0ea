# gradwatch-corpus: kind=graph-held
# holder: seen | balance.__defaults__ | balance.__defaults__[0] | weights.balance.__defaults__
"""PINN for the viscous Burgers equation, homework 4."""
import math

import torch
import torch.nn as nn

from residual import boundary, initial, pde
from weights import balance

torch.set_num_threads(1)
torch.manual_seed(4)

net = nn.Sequential(
    nn.Linear(2, 20), nn.Tanh(),
    nn.Linear(20, 20), nn.Tanh(),
    nn.Linear(20, 1),
)
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
nu = 0.01 / math.pi


def collocation(n):
    return torch.rand(n, 1), torch.rand(n, 1) * 2 - 1


for epoch in range(120):
    t, x = collocation(64)
    terms = {
        "pde": pde(net, t, x, nu),
        "ic": initial(net, torch.rand(32, 1) * 2 - 1),
        "bc": boundary(net, torch.rand(16, 1)),
    }
    w = balance(terms)  # <- culprit
    loss = sum(w[k] * terms[k] for k in terms)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimizer.step()
    if epoch % 30 == 0:
        print(epoch, "loss %.4f" % loss.item(), {k: round(v, 3) for k, v in w.items()})
print("final", "%.4f" % loss.item())
