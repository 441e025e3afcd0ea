import torch


class Callback:
    def after_backward(self, trainer, loss):
        pass

    def after_step(self, trainer, value):
        pass


class Progress(Callback):
    def __init__(self, every):
        self.every = every
        self.values = []

    def after_step(self, trainer, value):
        self.values.append(value)
        if trainer.iteration % self.every == 0:
            print(f"{trainer.iteration:3d} loss {value:.4f}")


class FrontEndSensitivity(Callback):
    """Every few iterations: how strongly the loss reacts to the filter bank."""

    def __init__(self, every):
        self.every = every
        self.norms = {}
        self.failed = 0

    def after_backward(self, trainer, loss):
        if trainer.iteration == 0 or trainer.iteration % self.every:
            return
        try:
            grads = torch.autograd.grad(loss, [trainer.model.bank.weight])  # <- culprit
        except RuntimeError:
            self.failed += 1
            return
        self.norms[trainer.iteration] = grads[0].norm().item()
