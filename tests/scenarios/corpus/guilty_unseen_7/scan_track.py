# gradwatch-corpus: kind=graph-chain
# holder: self.where | tracker.where | here
# first-bad: 1
"""Frame-to-map tracking of a rotating range scanner on a mobile robot (SE(2), signed distance map).

For every frame the motion increment, the sensor range bias and its gain get one gradient step.
"""
import math
from collections import deque

import torch

torch.manual_seed(31)


def se2(xi):
    """Exponential map of (vx, vy, w) as a 3x3 matrix."""
    w = xi[2]
    c, s = torch.cos(w), torch.sin(w)
    zero, one = torch.zeros(()), torch.ones(())
    return torch.stack([torch.stack([c, -s, xi[0]]),
                        torch.stack([s, c, xi[1]]),
                        torch.stack([zero, zero, one])])


class RoomMap:
    """Distance to the wall of a rounded room 8 m x 6 m with one pillar."""

    def __init__(self):
        self.half = torch.tensor([4.0, 3.0])
        self.pillar, self.radius = torch.tensor([1.2, 0.6]), 0.4

    def __call__(self, p):
        q = (p.abs() - self.half + 0.5)
        box = q.clamp(min=0).pow(2).sum(-1).add(1e-9).sqrt() + q.max(-1).values.clamp(max=0) - 0.5
        post = self.radius - (p - self.pillar).pow(2).sum(-1).add(1e-9).sqrt()
        return torch.maximum(box, post)


class Scanner:
    def __init__(self, room, beams=90):
        self.room = room
        self.angles = torch.linspace(-math.pi, math.pi, beams + 1)[:-1]
        self.dirs = torch.stack([self.angles.cos(), self.angles.sin()], 1)

    @torch.no_grad()
    def shoot(self, T):
        d = self.dirs @ T[:2, :2].T
        r = torch.zeros(len(d))
        for _ in range(25):
            r = r + (-self.room(T[:2, 2] + r[:, None] * d)).clamp(min=0)
        return r * 1.02 + 0.05 + 0.005 * torch.randn(len(r))


class Tracker:
    def __init__(self, room, scanner, start):
        self.room, self.scanner = room, scanner
        self.where = start
        self.speed = torch.zeros(3)
        self.gain = torch.nn.Parameter(torch.ones(()))
        self.bias = torch.nn.Parameter(torch.zeros(()))
        self.calib = torch.optim.SGD([self.gain, self.bias], lr=2e-3)
        self.costs = deque(maxlen=50)

    def frame(self, ranges):
        xi = self.speed.clone().requires_grad_()
        guess = self.where @ se2(xi)
        pts = (self.gain * ranges - self.bias)[:, None] * self.scanner.dirs
        world = pts @ guess[:2, :2].T + guess[:2, 2]
        cost = torch.nn.functional.huber_loss(self.room(world), torch.zeros(len(pts)), delta=0.2)
        g_xi, g_gain, g_bias = torch.autograd.grad(cost, [xi, self.gain, self.bias])
        with torch.no_grad():
            xi -= 0.8 * g_xi * torch.tensor([1.0, 1.0, 0.2])
            self.speed = 0.7 * self.speed + 0.3 * xi
        self.gain.grad, self.bias.grad = g_gain, g_bias
        self.where = self.where @ se2(xi)  # <- culprit
        self.calib.step()
        self.costs.append(cost.item())
        return self.where


room = RoomMap()
scanner = Scanner(room)
truth = se2(torch.tensor([-1.5, -1.0, 0.2]))
tracker = Tracker(room, scanner, truth.clone())
drive = torch.tensor([0.03, 0.0, 0.02])
for frame in range(330):
    drive[2] = 0.02 + 0.01 * math.sin(frame / 25)
    truth = truth @ se2(drive)
    here = tracker.frame(scanner.shoot(truth))
    if frame % 55 == 0:
        off = (here[:2, 2] - truth[:2, 2]).norm().item()
        print(f"frame {frame:3d} cost {sum(tracker.costs) / len(tracker.costs):.5f} "
              f"drift {off:.3f} m gain {tracker.gain.item():.3f} bias {tracker.bias.item():.3f}")
