from collections import deque

import torch


class Callback:
    def on_loss(self, fitter, loss): ...
    def on_step(self, fitter): ...


class CallbackList(Callback):
    def __init__(self, items):
        self.items = items

    def on_loss(self, fitter, loss):
        for c in self.items:
            c.on_loss(fitter, loss)

    def on_step(self, fitter):
        for c in self.items:
            c.on_step(fitter)


class Smoothed(Callback):
    """Keeps the last few loss tensors and publishes their mean."""

    def __init__(self, window):
        self.recent = deque(maxlen=window)

    def on_loss(self, fitter, loss):
        self.recent.append(loss)

    def on_step(self, fitter):
        fitter.shared["smooth"] = torch.stack(tuple(self.recent)).mean()


class SpikeGuard(Callback):
    def __init__(self, factor):
        self.factor = factor

    def on_loss(self, fitter, loss):
        ref = fitter.shared.get("smooth")
        fitter.skip = ref is not None and bool(loss > self.factor * ref)


class History(Callback):
    def __init__(self):
        self.rows = []

    def on_step(self, fitter):
        norms = [p.grad.norm() for p in fitter.model.parameters() if p.grad is not None]
        self.rows.append({"step": fitter.step_no, "loss": fitter.loss.detach(), "grad": torch.stack(norms).max()})


class EarlyPatience(Callback):
    def __init__(self, patience):
        self.best, self.bad, self.patience = float("inf"), 0, patience

    def on_step(self, fitter):
        now = fitter.shared["smooth"].item()
        self.bad = 0 if now < self.best else self.bad + 1
        self.best = min(self.best, now)
        if self.bad > self.patience:
            fitter.stop = True
