import torch
from torch import nn

from guard import Astray


class PairForce(nn.Module):
    """Central force between two bodies as a function of their distance."""

    def __init__(self, hidden=24):
        super().__init__()
        self.law = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, place):
        gap = place.unsqueeze(-3) - place.unsqueeze(-2)
        dist = (gap.square().sum(-1, keepdim=True) + 0.05).sqrt()
        pull = self.law(dist.log()) / dist.pow(3)
        return (pull * gap).sum(-2)


def newton(place):
    gap = place.unsqueeze(-3) - place.unsqueeze(-2)
    return (gap / (gap.square().sum(-1, keepdim=True) + 0.05).pow(1.5)).sum(-2)


def drift(force, place, speed, stride, span=0.3):
    """Leapfrog over `span`."""
    speed = speed + 0.5 * stride * -force(place)
    for _ in range(round(span / stride)):
        place = place + stride * speed
        speed = speed + stride * -force(place)
    return place, speed


class Orrery:
    def __init__(self, force, tolerance=0.45):
        self.force, self.tolerance = force, tolerance

    def predict(self, scene, stride):
        place, speed = drift(self.force, scene.place, scene.speed, stride)
        self.vet(scene, speed, stride)
        return place

    def vet(self, scene, speed, stride):
        jump = (speed - scene.speed).norm(dim=-1).max().item()
        if jump * stride > self.tolerance:
            raise Astray("kick", jump)


class Scene:
    __slots__ = ("place", "speed", "later")

    def __init__(self, gen, tight, bodies=4, worlds=12):
        self.place = torch.randn(worlds, bodies, 2, generator=gen) * (1.0 - 0.6 * tight)
        self.speed = 0.2 * torch.randn(worlds, bodies, 2, generator=gen) + tight * 4.0 * torch.randn(
            worlds, bodies, 2, generator=gen).clamp(-1, 1) * 0.1
        self.later, _ = drift(lambda x: -newton(x), self.place, self.speed, 0.02)
