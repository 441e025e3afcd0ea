from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn.functional as F


@dataclass
class Context:
    net: torch.nn.Module
    iteration: int = 0
    features: Optional[torch.Tensor] = None
    loss: Optional[torch.Tensor] = None


class Engine:
    def __init__(self, net, opt, callbacks=()):
        self.opt = opt
        self.callbacks = list(callbacks)
        self.ctx = Context(net)

    def emit(self, event):
        for cb in self.callbacks:
            cb.dispatch(event, self.ctx)

    def iterate(self, x, y):
        ctx = self.ctx
        out, ctx.features = ctx.net(x)
        ctx.loss = F.mse_loss(out, y)
        self.opt.zero_grad()
        ctx.loss.backward()  # <- culprit
        self.emit("after_backward")
        self.opt.step()
        self.emit("after_step")
        ctx.iteration += 1

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.iterate(x, y)
