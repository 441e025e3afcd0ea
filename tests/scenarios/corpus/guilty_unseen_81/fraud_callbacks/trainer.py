import torch.nn.functional as F


class Callback:
    def on_day_begin(self, trainer, day): ...
    def on_batch_begin(self, trainer): ...
    def on_scored(self, trainer, batch, per_row): ...
    def on_day_end(self, trainer, day): ...


class Trainer:
    def __init__(self, model, opt, callbacks=()):
        self.model, self.opt = model, opt
        self.callbacks = list(callbacks)
        self.step = 0

    def emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def fit_day(self, batches, day):
        self.emit("on_day_begin", day)
        for batch in batches:
            self.emit("on_batch_begin")
            self.train_batch(batch)
            self.step += 1
        self.emit("on_day_end", day)

    def train_batch(self, batch):
        logits = self.model(batch["merchant"], batch["numeric"])
        weight = 1.0 + 9.0 * batch["fraud"]
        per_row = F.binary_cross_entropy_with_logits(logits, batch["fraud"], reduction="none")
        self.opt.zero_grad(set_to_none=True)
        (per_row * weight).mean().backward()
        self.opt.step()
        self.emit("on_scored", batch, per_row)
