# gradwatch-corpus: kind=none
"""Binarised network: straight-through estimator and a custom quantiser as autograd Functions."""
import torch
from torch import nn
from torch.autograd import Function


class Sign(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * (x.abs() <= 1).to(g.dtype)


class Quant(Function):
    @staticmethod
    def forward(ctx, x, bits):
        n = 2 ** bits - 1
        ctx.mask = (x >= 0) & (x <= 1)
        return (x.clamp(0, 1) * n).round() / n

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask, None


class BinLinear(nn.Linear):
    def forward(self, x):
        self.wb = Sign.apply(self.weight)
        return nn.functional.linear(x, self.wb * self.weight.detach().abs().mean(), self.bias)


torch.manual_seed(29)
net = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), BinLinear(32, 32), nn.BatchNorm1d(32), nn.Linear(32, 2))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
flips, prev = [], None
for i in range(160):
    x = torch.randn(64, 8)
    y = (x[:, 0] * x[:, 1] > 0).long()
    loss = nn.functional.cross_entropy(net(Quant.apply(x * 0.25 + 0.5, 4)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    cur = net[2].weight.detach() > 0
    if prev is not None:
        flips.append((cur ^ prev).sum().item())
    prev = cur
    if i % 40 == 39:
        print(i + 1, "%.3f" % loss.item(), "flips", sum(flips[-40:]))
