# gradwatch-corpus: kind=second-backward
# first-bad: 15
import logging
from abc import ABC
from types import SimpleNamespace

import torch
import torch.nn as nn

logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")
log = logging.getLogger("trainkit")


class Callback(ABC):
    def on_batch(self, ctx): ...
    def on_backward(self, ctx): ...
    def on_end(self, ctx): ...


class ConsoleLogger(Callback):
    def __init__(self, every=20):
        self.every, self.acc = every, 0.0

    def on_backward(self, ctx):
        self.acc += ctx.loss.item()
        if (ctx.it + 1) % self.every == 0:
            log.info("it %3d  loss %.4f", ctx.it + 1, self.acc / self.every)
            self.acc = 0.0


class LayerSensitivity(Callback):
    """Reports how strongly the objective reacts to each layer's weights."""

    def __init__(self, every=15):
        self.every = every
        self.table = {}

    def on_backward(self, ctx):
        if ctx.it == 0 or ctx.it % self.every:
            return
        weights = {n: p for n, p in ctx.model.named_parameters() if n.endswith("weight")}
        grads = torch.autograd.grad(ctx.loss, list(weights.values()))  # <- culprit
        self.table[ctx.it] = {n: g.norm().item() for n, g in zip(weights, grads)}

    def on_end(self, ctx):
        log.info("sensitivity rows: %d", len(self.table))


class CallbackList:
    def __init__(self, *members):
        self.members = members

    def __getattr__(self, hook):
        if not hook.startswith("on_"):
            raise AttributeError(hook)

        def fire(ctx):
            for cb in self.members:
                try:
                    getattr(cb, hook)(ctx)
                except Exception as exc:
                    log.warning("%s.%s failed: %s", type(cb).__name__, hook, str(exc)[:70])
        return fire


class Loop:
    def __init__(self, model, criterion, optimizer, callbacks):
        self.ctx = SimpleNamespace(model=model, it=0, loss=None, batch=None)
        self.criterion, self.optimizer, self.callbacks = criterion, optimizer, callbacks

    def __call__(self, batches):
        ctx = self.ctx
        for ctx.it, ctx.batch in enumerate(batches):
            self.callbacks.on_batch(ctx)
            x, y = ctx.batch
            ctx.loss = self.criterion(ctx.model(x), y)
            self.optimizer.zero_grad()
            ctx.loss.backward()  # <- culprit
            self.callbacks.on_backward(ctx)
            self.optimizer.step()
        self.callbacks.on_end(ctx)


def energy_batches(n, size=48):
    w = torch.randn(10, 2)
    for _ in range(n):
        x = torch.randn(size, 10)
        yield x, torch.sin(0.3 * x @ w) + 0.1 * torch.randn(size, 2)


def main():
    torch.manual_seed(99)
    model = nn.Sequential(nn.Linear(10, 40), nn.SiLU(), nn.Linear(40, 40), nn.SiLU(), nn.Linear(40, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    callbacks = CallbackList(ConsoleLogger(), LayerSensitivity())
    Loop(model, nn.MSELoss(), optimizer, callbacks)(energy_batches(100))


if __name__ == "__main__":
    main()
