# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class StraightThroughSign(Function):
    @staticmethod
    def forward(ctx, x, clip):
        ctx.save_for_backward(x)
        ctx.clip = clip
        return x.sign()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x.abs() <= ctx.clip), None


class GradReverse(Function):
    @staticmethod
    def forward(ctx, x, lamb):
        ctx.lamb = lamb
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return -ctx.lamb * g, None


class BinaryLinear(nn.Linear):
    def forward(self, x):
        return nn.functional.linear(x, StraightThroughSign.apply(self.weight, 1.0), self.bias)


class DANN(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(BinaryLinear(32, 96), nn.BatchNorm1d(96), nn.Hardtanh(), BinaryLinear(96, 96), nn.BatchNorm1d(96), nn.Hardtanh())
        self.y, self.d = nn.Linear(96, 3), nn.Linear(96, 2)

    def forward(self, x, lamb):
        z = self.f(x)
        return self.y(z), self.d(GradReverse.apply(z, lamb))


torch.manual_seed(0)
m = DANN()
opt = torch.optim.Adam(m.parameters(), 1e-3)
ce = nn.CrossEntropyLoss()
for i in range(220):
    src, dst = torch.randn(32, 32), torch.randn(32, 32) * 1.5
    cls, dom = m(torch.cat([src, dst]), lamb=min(1.0, i / 100))
    loss = ce(cls[:32], src[:, :3].argmax(1)) + ce(dom, torch.arange(64) // 32)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 55 == 0:
        print(i, loss.item())
