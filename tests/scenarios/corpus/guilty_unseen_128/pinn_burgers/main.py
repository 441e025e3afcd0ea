# gradwatch-corpus: kind=graph-held
# holder: x.grad | t.grad | xt.grad | pts.grad
# first-bad: 1
# notice: 8
import math

import torch
torch.set_num_threads(1)

from physics import residual
from surrogate import FourierMLP

torch.manual_seed(44)
net = FourierMLP(width=24)
adam = torch.optim.Adam(net.parameters(), lr=2e-3)


def collocation(n):
    return torch.stack([torch.rand(n) * 2 - 1, torch.rand(n)], 1)


def initial(n):
    x = torch.rand(n) * 2 - 1
    return torch.stack([x, torch.zeros(n)], 1), -torch.sin(math.pi * x)


for epoch in range(500):
    adam.zero_grad()
    r = residual(net, collocation(32), nu=0.05)
    pts0, u0 = initial(16)
    loss = r.square().mean() + (net(pts0) - u0).square().mean()
    adam.zero_grad()
    loss.backward()
    adam.step()
    if epoch % 100 == 0:
        print(f"{epoch:4d} {loss.item():.5f}")
