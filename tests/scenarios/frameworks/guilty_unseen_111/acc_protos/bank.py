import torch


class PrototypeBank:
    """Class prototypes from a fixed support set, recomputed every so many steps."""

    def __init__(self, model, x, y, every):
        self.model = model
        self.x, self.y = x, y
        self.every = every
        self.protos = None
        self.computed_at = None

    def _compute(self):
        z, _ = self.model(self.x)
        return torch.stack([z[self.y == c].mean(0) for c in self.y.unique()])

    def at(self, step):
        if self.computed_at is None or step - self.computed_at >= self.every:
            self.protos = self._compute()  # <- culprit
            self.computed_at = step
        return self.protos  # <- culprit
