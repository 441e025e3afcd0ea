from contextlib import ExitStack

import torch
import torch.nn.functional as F


class Plugin:
    def attach(self, engine):
        return None

    def extra_loss(self, engine):
        return 0.

    def batch_done(self, engine):
        ...

    def update_done(self, engine):
        ...

    def epoch_done(self, engine):
        ...


class Engine:
    """accumulates the gradient of `accumulate` batches; what remains at the end of an epoch is applied as well"""

    def __init__(self, net, source, accumulate, plugins):
        self.net, self.source, self.accumulate, self.plugins = net, source, accumulate, plugins
        self.opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
        self.updates = self.epoch = 0
        self.loss = self.score = None

    def tell(self, what):
        for p in self.plugins:
            getattr(p, what)(self)

    def update(self):
        self.opt.step()
        self.opt.zero_grad()
        self.updates += 1
        self.tell("update_done")

    def fit(self, epochs):
        with ExitStack() as stack:
            for p in self.plugins:
                handle = p.attach(self)
                if handle is not None:
                    stack.callback(handle.remove)
            for self.epoch in range(epochs):
                self.net.train()
                pending = 0
                for img, label in self.source.train():
                    self.loss = F.cross_entropy(self.net(img), label)
                    total = self.loss + sum(p.extra_loss(self) for p in self.plugins)
                    (total / self.accumulate).backward()
                    pending += 1
                    self.tell("batch_done")
                    if pending == self.accumulate:
                        self.update()
                        pending = 0
                if pending:
                    self.update()
                self.evaluate()
                self.tell("epoch_done")

    @torch.inference_mode()
    def evaluate(self):
        self.net.eval()
        hits = [(self.net(i).argmax(1) == l).float().mean() for i, l in self.source.held_out()]
        self.score = torch.stack(hits).mean().item()
