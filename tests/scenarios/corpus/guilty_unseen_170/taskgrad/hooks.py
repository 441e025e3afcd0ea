"""Callbacks of the multi-task trainer."""
import torch


class Callback:
    def after_backward(self, trainer, losses):
        pass

    def after_step(self, trainer, losses):
        pass


class History(Callback):
    def __init__(self):
        self.rows = []

    def after_step(self, trainer, losses):
        self.rows.append({k: v.item() for k, v in losses.items()})


class TaskConflict(Callback):
    """Cosine between the gradients of the tasks with respect to the shared trunk, now and then."""

    def __init__(self, every=25):
        self.every = every
        self.cosines = []

    def after_backward(self, trainer, losses):
        if (trainer.iteration + 1) % self.every:
            return
        shared = list(trainer.model.trunk.parameters())
        flat = []
        for loss in losses.values():
            grads = torch.autograd.grad(loss, shared, retain_graph=True)  # <- culprit
            flat.append(torch.cat([g.flatten() for g in grads]))
        a, b = flat
        self.cosines.append(torch.cosine_similarity(a, b, dim=0).item())


class Callbacks:
    def __init__(self, *items):
        self.items = items

    def fire(self, event, *args):
        for item in self.items:
            getattr(item, event)(*args)
