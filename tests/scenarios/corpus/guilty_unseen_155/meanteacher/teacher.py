import torch
from torch.func import functional_call


class EmaTeacher:
    """Averaged copy of a model's weights that can be called like the model."""

    def __init__(self, model, momentum):
        self.model = model
        self.momentum = momentum
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters()}

    def update(self):
        rate = 1 - self.momentum
        for name, p in self.model.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, rate)  # <- culprit

    def __call__(self, x):
        return functional_call(self.model, self.shadow, (x,))
