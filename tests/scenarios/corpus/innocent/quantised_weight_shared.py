# gradwatch-corpus: kind=none
# about: quantisation-aware training: the quantised weights are made once a step and used by two
# about: micro-batches with a backward each; the straight-through node saved its input, but its
# about: backward never looks at it, so the second backward is sound
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight, scale):
        ctx.save_for_backward(weight)
        return (weight / scale).round().clamp(-8, 7) * scale

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class QuantLinear(nn.Linear):
    quantised = None

    def requantise(self):
        scale = self.weight.detach().abs().max() / 7
        self.quantised = RoundSTE.apply(self.weight, scale)

    def forward(self, x):
        return F.linear(x, self.quantised, self.bias)


class QuantNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([QuantLinear(16, 32), QuantLinear(32, 4)])

    def requantise(self):
        for layer in self.layers:
            layer.requantise()

    def forward(self, x):
        return self.layers[1](torch.relu(self.layers[0](x)))


if __name__ == "__main__":
    torch.manual_seed(0)
    stream, net = batches(*classes(), size=16), QuantNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for step in range(ITERATIONS):
        net.requantise()
        optimizer.zero_grad()
        for _ in range(2):
            x, y = next(stream)
            loss = F.cross_entropy(net(x), y) / 2
            loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f}")
