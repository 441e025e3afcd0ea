# gradwatch-corpus: kind=none
"""A custom Function that puts its output on ctx: a cycle of Python objects, which the collector frees in time."""
import torch
from torch import nn


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.log1p(torch.exp(-x.abs())) + x.clamp(min=0)
        ctx.out = out
        return out

    @staticmethod
    def backward(ctx, g):
        return g * (1 - torch.exp(-ctx.out))


class Act(nn.Module):
    def forward(self, x):
        return Softplus.apply(x)


torch.manual_seed(2)
net = nn.Sequential(nn.Linear(10, 100), Act(), nn.Linear(100, 100), Act(), nn.Linear(100, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for i in range(300):
    x = torch.randn(64, 10)
    loss = (net(x) - x.pow(2).sum(1, keepdim=True)).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 60 == 0:
        print(i, loss.item())
