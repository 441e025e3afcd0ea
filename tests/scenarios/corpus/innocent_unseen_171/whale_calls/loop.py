import torch
import torch.nn.functional as F


class Callback:
    def epoch_start(self, trainer): ...
    def batch_end(self, trainer, loss, logits, y): ...
    def epoch_end(self, trainer): ...


class EpochConfusion(Callback):
    """Collects an epoch's outputs, and turns them into a table when it is over."""

    def __init__(self, n):
        self.n = n
        self.outputs = []
        self.table = None

    def batch_end(self, trainer, loss, logits, y):
        self.outputs.append((loss, logits, y))

    def epoch_end(self, trainer):
        with torch.no_grad():
            losses, logits, ys = zip(*self.outputs)
            pred = torch.cat(logits).argmax(1)
            y = torch.cat(ys)
            self.table = torch.zeros(self.n, self.n, dtype=torch.long)
            self.table.index_put_((y, pred), torch.ones_like(y), accumulate=True)
            self.mean_loss = torch.stack(losses).mean().item()
        self.outputs.clear()


class Printer(Callback):
    def __init__(self, confusion, every):
        self.confusion, self.every = confusion, every

    def epoch_end(self, trainer):
        if trainer.epoch % self.every == 0:
            t = self.confusion.table
            acc = t.diag().sum().item() / t.sum().item()
            print(f"epoch {trainer.epoch}: loss {self.confusion.mean_loss:.4f}  acc {acc:.3f}")


class Trainer:
    """Clips are long in real life, so a step sums the loss of a few small batches."""

    def __init__(self, net, opt, callbacks, group=2):
        self.net, self.opt, self.callbacks, self.group = net, opt, callbacks, group
        self.epoch = 0

    def call(self, what, *args):
        for cb in self.callbacks:
            getattr(cb, what)(self, *args)

    def fit(self, loader, epochs):
        for self.epoch in range(epochs):
            self.call("epoch_start")
            total, waiting = 0.0, 0
            for spec, y in loader:
                logits = self.net(spec)
                loss = F.cross_entropy(logits, y)
                total = total + loss
                waiting += 1
                self.call("batch_end", loss, logits, y)
                if waiting == self.group:
                    self.opt.zero_grad()
                    (total / waiting).backward()
                    self.opt.step()
                    total, waiting = 0.0, 0
            self.call("epoch_end")
