import torch


class Craft:
    """Semi-implicit Euler with linear damping."""

    def __init__(self, n_axes, dt, drag=0.4):
        self.bias = torch.zeros(n_axes, requires_grad=True)
        self.pos = torch.zeros(n_axes)
        self.vel = torch.zeros(n_axes)
        self.dt, self.drag = dt, drag

    def advance(self, gust):
        acc = torch.sub(self.bias + gust, self.vel, alpha=self.drag)
        self.vel = torch.add(self.vel, acc, alpha=self.dt)  # <- culprit
        self.pos = torch.add(self.pos, self.vel, alpha=self.dt)  # <- culprit
        return self.pos
