"""The toy world and a ridge-regression teacher on random features of it."""
from dataclasses import dataclass

import torch


@dataclass
class World:
    features: int
    classes: int
    centres: torch.Tensor
    gen: torch.Generator

    def draw(self, n):
        y = torch.randint(self.classes, (n,), generator=self.gen)
        x = self.centres[y] + torch.randn(n, self.features, generator=self.gen)
        return x, y


def make_world(features, classes, seed):
    gen = torch.Generator().manual_seed(seed)
    return World(features, classes, torch.randn(classes, features, generator=gen) * 0.8, gen)


class Teacher:
    def __init__(self, world, width=256):
        self.world = world
        self.mix = torch.randn(world.features, width) / world.features ** 0.5
        self.shift = torch.randn(width)
        self.readout = torch.zeros(width, world.classes)

    def embed(self, x):
        return torch.tanh(x @ self.mix + self.shift)

    def fit(self, n, ridge=5.0):
        x, y = self.world.draw(n)
        h = self.embed(x)
        onehot = torch.eye(self.world.classes)[y]
        gram = h.t() @ h + ridge * torch.eye(h.shape[1])
        self.readout = torch.linalg.solve(gram, h.t() @ (onehot - 1 / self.world.classes))
        return self

    def logits(self, x):
        return 6 * self.embed(x) @ self.readout
