import torch


class Trainer:
    def __init__(self, model, optimizer, loss_fn, callbacks=()):
        self.model, self.optimizer, self.loss_fn = model, optimizer, loss_fn
        self.callbacks = list(callbacks)
        self.epoch = 0

    def fire(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def fit(self, loader, epochs):
        for self.epoch in range(epochs):
            self.fire("on_epoch_start")
            for anchor, pos, neg in loader:
                loss, margin = self.loss_fn(*map(self.model, (anchor, pos, neg)))
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.fire("on_batch", {"loss": loss, "margin": margin})
            self.fire("on_epoch_end")


def triplet(a, p, n, slack=1.0):
    margin = (a - n).pow(2).sum(1) - (a - p).pow(2).sum(1)
    return torch.relu(slack - margin).mean(), margin
