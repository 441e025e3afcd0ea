from collections import deque

import torch


class Callback:
    def on_forward(self, trainer, out): ...
    def on_loss(self, trainer, loss): ...
    def on_step(self, trainer): ...


class CallbackList(Callback):
    def __init__(self, items):
        self.items = items

    def on_forward(self, trainer, out):
        for c in self.items:
            c.on_forward(trainer, out)

    def on_loss(self, trainer, loss):
        for c in self.items:
            c.on_loss(trainer, loss)

    def on_step(self, trainer):
        for c in self.items:
            c.on_step(trainer)


class LossWindow(Callback):
    """Mean of the last few losses."""

    def __init__(self, size):
        self.values = deque(maxlen=size)

    def on_loss(self, trainer, loss):
        self.values.append(loss)

    def mean(self):
        with torch.no_grad():
            return torch.stack(tuple(self.values)).mean().item()


class Notebook(Callback):
    """Everything that was ever seen, as plain numbers."""

    def __init__(self):
        self.pages = []
        self.extra = {}

    def on_loss(self, trainer, loss):
        self.pages.append((trainer.n_steps, loss.item()))

    def note(self, name, value):
        self.extra.setdefault(name, []).append(value.detach().clone())

    def table(self):
        rows = [f"{len(self.pages)} steps, last loss {self.pages[-1][1]:.4f}"]
        for name, values in self.extra.items():
            rows.append(f"{name}: first {values[0]:.4f}, last {values[-1]:.4f} ({len(values)} values)")
        return "\n".join(rows)


class Roughness(Callback):
    """Size of the gradient at the output, relative to the output, and the output's spread."""

    def __init__(self, notebook):
        self.notebook = notebook
        self.current = None

    def on_forward(self, trainer, out):
        self.current = out
        scale = 1 + out.detach().abs().mean()
        out.register_hook(lambda grad: self.notebook.note("output grad", grad.norm() / scale))

    def on_step(self, trainer):
        self.notebook.note("output spread", self.current.std())
