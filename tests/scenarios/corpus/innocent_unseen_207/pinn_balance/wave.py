import math

import torch
from torch import nn


class WaveProblem:
    def __init__(self, width, speed=1.0):
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.speed = speed
        self.points = torch.rand(32, 2)
        self.residual = None

    def shared_weights(self):
        return [self.net[0].weight, self.net[2].weight]

    def pde(self):
        x = self.points.clone().requires_grad_(True)
        du, = torch.autograd.grad(self.net(x).sum(), x, create_graph=True)
        dxx, = torch.autograd.grad(du[:, 0].sum(), x, create_graph=True)
        dtt, = torch.autograd.grad(du[:, 1].sum(), x, create_graph=True)
        self.residual = dtt[:, 1] - self.speed**2 * dxx[:, 0]
        return self.residual.pow(2).mean()

    def terms(self, n):
        x = torch.rand(n, 1)
        start = self.net(torch.cat([x, torch.zeros_like(x)], dim=1))
        side = torch.randint(2, (n, 1)).float()
        edge = self.net(torch.cat([side, torch.rand(n, 1)], dim=1))
        return {
            "pde": self.pde(),
            "start": (start - torch.sin(math.pi * x)).pow(2).mean(),
            "edge": edge.pow(2).mean(),
        }

    def refine(self, keep):
        hardest = self.residual.abs().topk(keep).indices
        self.points = torch.cat([self.points[hardest], torch.rand(32 - keep, 2)])
