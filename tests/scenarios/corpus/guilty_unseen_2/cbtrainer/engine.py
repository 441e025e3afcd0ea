import torch


class Trainer:
    def __init__(self, model, optimizer, criterion, callbacks=()):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.callbacks = list(callbacks)
        self.global_step = 0

    def _fire(self, event, **kw):
        for cb in self.callbacks:
            getattr(cb, event)(self, **kw)

    def train_batch(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        out = self.model(x)
        loss = self.criterion(out, y)
        loss.backward()
        self.optimizer.step()
        acc = (out.detach().argmax(1) == y).float().mean().item()
        return {"step": self.global_step, "loss": loss, "acc": acc}  # <- culprit

    def fit(self, loader_fn, epochs):
        self._fire("on_train_begin")
        for epoch in range(epochs):
            for x, y in loader_fn():
                logs = self.train_batch(x, y)
                self._fire("on_batch_end", logs=logs)
                self.global_step += 1
            self._fire("on_epoch_end", epoch=epoch)
