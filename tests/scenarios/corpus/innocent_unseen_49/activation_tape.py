# gradwatch-corpus: kind=none
from types import SimpleNamespace

import torch
import torch.nn as nn


class ActivationTape:
    """Collects activations of chosen layers while a `with` block is open."""

    def __init__(self, model, kinds=(nn.ReLU,)):
        self.records = {}
        self._open = False
        for name, layer in model.named_modules():
            if isinstance(layer, kinds):
                layer.register_forward_hook(self._hook(name))

    def _hook(self, name):
        def hook(layer, inputs, output):
            if self._open:
                self.records.setdefault(name, []).append(output)
        return hook

    def __enter__(self):
        self._open = True
        return self

    def __exit__(self, *exc):
        self._open = False
        self.records.clear()

    def activity(self):
        return sum(a.mean() for acts in self.records.values() for a in acts)


class Callbacks(list):
    def __call__(self, hook, ctx):
        for cb in self:
            getattr(cb, hook, lambda ctx: None)(ctx)


class SparsityLog:
    def __init__(self):
        self.rows = []

    def before_step(self, ctx):
        zero = [(a == 0).float().mean() for acts in ctx.tape.records.values() for a in acts]
        self.rows.append(torch.stack(zero))


class LossLog:
    def __init__(self, every=20):
        self.every = every
        self.curve = []

    def before_step(self, ctx):
        self.last = ctx.loss
        self.curve.append(self.last.tolist())

    def after_step(self, ctx):
        if ctx.step % self.every == self.every - 1:
            print(f"{ctx.step + 1:4d} {sum(self.curve[-self.every:]) / self.every:.4f}")


def train(net, draw, steps, callbacks, weight=0.01):
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    tape = ActivationTape(net)
    ctx = SimpleNamespace(tape=tape, step=0, loss=None, out=None)
    for ctx.step in range(steps):
        x, y = draw(40)
        with tape:
            ctx.out = net(x)
            ctx.loss = nn.functional.mse_loss(ctx.out, y) + weight * tape.activity()
            opt.zero_grad()
            ctx.loss.backward()
            callbacks("before_step", ctx)
            opt.step()
        callbacks("after_step", ctx)


def main():
    torch.manual_seed(64)
    w = torch.randn(7, 2)

    def draw(n):
        x = torch.randn(n, 7)
        return x, (x @ w).sin()

    net = nn.Sequential(nn.Linear(7, 40), nn.ReLU(), nn.Linear(40, 40), nn.ReLU(), nn.Linear(40, 2))
    sparsity = SparsityLog()
    train(net, draw, 100, Callbacks([sparsity, LossLog()]))
    print("zeros per layer:", [round(v, 3) for v in torch.stack(sparsity.rows).mean(0).tolist()])


main()
