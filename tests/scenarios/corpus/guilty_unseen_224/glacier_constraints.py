# gradwatch-corpus: kind=inplace-modified
# first-bad: 10
"""Glacier melt regression with monotone weights, kept by a constraint callback."""
import torch
from torch import nn


class Callback:
    order = 0

    def after_forward(self, loop):
        pass

    def after_step(self, loop):
        pass


class NonNegative(Callback):
    """Projects chosen layers onto the non-negative orthant now and then."""

    order = 5

    def __init__(self, layers, every):
        self.layers = layers
        self.every = every

    @torch.no_grad()
    def after_forward(self, loop):  # <- culprit
        if loop.iteration == 0 or loop.iteration % self.every:
            return
        for layer in self.layers:
            layer.weight.clamp_(min=0.0)  # <- culprit


class Ledger(Callback):
    def __init__(self):
        self.values = []

    def after_step(self, loop):
        self.values.append(loop.loss.item())


class CallbackList:
    def __init__(self, callbacks):
        self.callbacks = sorted(callbacks, key=lambda c: c.order)

    def __getattr__(self, event):
        def fire(loop):
            for callback in self.callbacks:
                getattr(callback, event)(loop)
        return fire


class MeltNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.warm = nn.Linear(4, 20)
        self.mono = nn.Linear(20, 20)
        self.out = nn.Linear(20, 1)

    def forward(self, x):
        z = torch.sigmoid(self.warm(x))
        z = torch.tanh(self.mono(z))
        return self.out(z)


class Loop:
    def __init__(self, model, callbacks):
        self.model = model
        self.events = CallbackList(callbacks)
        self.opt = torch.optim.Adam(model.parameters(), lr=0.01)
        self.iteration = 0
        self.loss = None

    def stakes(self, n):
        x = torch.rand(n, 4)
        melt = 2 * x[:, :1] + x[:, 1:2] ** 2 - 0.5 * x[:, 2:3]
        return x, melt + 0.05 * torch.randn(n, 1)

    def advance(self):
        x, melt = self.stakes(64)
        self.loss = nn.functional.mse_loss(self.model(x), melt)
        self.events.after_forward(self)  # <- culprit
        self.opt.zero_grad()
        self.loss.backward()
        self.opt.step()
        self.events.after_step(self)
        self.iteration += 1


if __name__ == "__main__":
    torch.manual_seed(56)
    net = MeltNet()
    ledger = Ledger()
    loop = Loop(net, [NonNegative([net.mono, net.out], every=10), ledger])
    while loop.iteration < 120:
        loop.advance()
        if loop.iteration % 5 == 0:
            print(loop.iteration, round(ledger.values[-1], 4))
