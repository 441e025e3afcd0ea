from collections import deque
from copy import deepcopy


class Observer:
    def before(self, trainer, step):
        pass

    def after(self, trainer, step, logits, loss):
        pass

    def describe(self):
        return type(self).__name__


class History(Observer):
    def __init__(self):
        self.loss = []
        self.last_logits = None

    def after(self, trainer, step, logits, loss):
        self.loss.append(loss.item())
        self.last_logits = logits

    def describe(self):
        return f"loss {self.loss[0]:.3f} -> {self.loss[-1]:.3f}"


class ActivationReport(Observer):
    def __init__(self, layer, every, keep):
        self.layer = layer
        self.every = every
        self.kept = deque(maxlen=keep)
        self.handle = None

    def before(self, trainer, step):
        if step % self.every == 0:
            module = trainer.model.get_submodule(self.layer)
            self.handle = module.register_forward_hook(self.grab)

    def grab(self, module, args, output):
        self.kept.append(output.detach().mean(dim=(0, 2, 3)))

    def after(self, trainer, step, logits, loss):
        if self.handle is not None:
            self.handle.remove()
            self.handle = None

    def describe(self):
        return f"{self.layer}: " + " ".join(f"{k.norm().item():.2f}" for k in self.kept)


class BestSnapshot(Observer):
    def __init__(self):
        self.best = float("inf")
        self.weights = None

    def after(self, trainer, step, logits, loss):
        value = float(loss.detach())
        if value < self.best:
            self.best = value
            self.weights = deepcopy(trainer.model.state_dict())

    def describe(self):
        return f"best {self.best:.4f}"
