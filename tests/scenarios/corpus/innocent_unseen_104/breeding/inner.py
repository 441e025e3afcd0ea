"""Differentiable descent on marker effects."""
import torch


class Effects:
    def __init__(self, markers):
        self.now = torch.zeros(markers, requires_grad=True)
        self.trail = []

    def descend(self, objective, rate):
        g, = torch.autograd.grad(objective(self.now), self.now, create_graph=True)
        self.now = self.now - rate * g
        self.trail.append(self.now.norm().item())

    def rebase(self):
        self.now = self.now.detach().requires_grad_()
