"""Momentum teacher."""
import torch


class MomentumTeacher:
    def __init__(self, model, momentum):
        self.model, self.momentum = model.requires_grad_(True), momentum

    @torch.no_grad()
    def __call__(self, x):
        return self.model(x)

    def after_step(self, engine):
        with torch.no_grad():
            for t, s in zip(self.model.parameters(), engine.model.parameters()):
                t.mul_(self.momentum).add_(s, alpha=1 - self.momentum)
