# gradwatch-corpus: kind=none
# about: a custom Function puts its output on ctx: a Python cycle, so each iteration's graph
# about: lives until the cyclic collector comes round: dozens of spent graphs, then a few, again
# about: and again
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        gate = torch.sigmoid(x)
        out = x * gate
        ctx.gate = gate
        ctx.out = out
        return out

    @staticmethod
    def backward(ctx, grad):
        return grad * (ctx.gate + ctx.out * (1 - ctx.gate))


class Layer(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.linear = nn.Linear(a, b)

    def forward(self, x):
        return Swish.apply(self.linear(x))


if __name__ == "__main__":
    torch.manual_seed(0)
    stream = batches(*classes(), size=32)
    model = nn.Sequential(Layer(16, 32), Layer(32, 32), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for step in range(2 * ITERATIONS):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print(f"{step}: {loss.item():.6f}")
