# gradwatch-corpus: kind=graph-held
# holder: ctx.out | ctx
# about: a Function keeps its output on ctx, a Python cycle, in a job that has switched gc off
import gc

import torch
from torch import nn


class ScaledTanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        out = torch.tanh(x) * scale
        ctx.scale = scale
        ctx.out = out  # <- culprit
        return out

    @staticmethod
    def backward(ctx, grad):
        return grad * (ctx.scale - ctx.out**2 / ctx.scale), None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(8, 32), nn.Linear(32, 1)

    def forward(self, x):
        return self.b(ScaledTanh.apply(self.a(x), 1.7159))


def main():
    gc.disable()  # collections made the steps uneven
    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for step in range(60):
        x = torch.randn(16, 8)
        loss = (net(x) - x.prod(1, keepdim=True)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(step, loss.item())


main()
