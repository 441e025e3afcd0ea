# gradwatch-corpus: kind=none
"""Tracks the rigid pose of a scanned part over a stream of noisy point clouds: a small net proposes
the update of last frame's pose, a one-sided Chamfer distance (own backward) says how good it was."""
import math
from collections import deque

import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

POINTS, FRAMES = 60, 400


class Chamfer(Function):
    """Mean squared distance from each source point to its nearest neighbour in the target."""

    @staticmethod
    def forward(ctx, source, target):
        dist = torch.cdist(source, target).pow(2)
        value, nearest = dist.min(1)
        ctx.save_for_backward(source, target, nearest)
        return value.mean()

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        source, target, nearest = ctx.saved_tensors
        pull = 2 * (source - target[nearest]) / len(source)
        return grad * pull, None


class Pose:
    """Angle and shift in the plane; `apply` is differentiable in both."""

    def __init__(self, angle, shift):
        self.angle, self.shift = angle, shift

    def apply(self, pts):
        c, s = torch.cos(self.angle), torch.sin(self.angle)
        rot = torch.stack([torch.stack([c, -s]), torch.stack([s, c])])
        return pts @ rot.T + self.shift

    def moved(self, delta):
        return Pose(self.angle + delta[0], self.shift + delta[1:])

    def frozen(self):
        return Pose(self.angle.detach(), self.shift.detach())


class PoseUpdater(nn.Module):
    def __init__(self):
        super().__init__()
        self.point = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.head = nn.Linear(32, 3)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, model_pts, scan):
        nearest = torch.cdist(model_pts, scan).argmin(1)
        feats = torch.cat([model_pts, scan[nearest] - model_pts], 1)
        return 0.08 * torch.tanh(self.head(self.point(feats).mean(0)))


def part(gen):
    a = 2 * math.pi * torch.rand(POINTS, generator=gen)
    r = 1 + 0.5 * torch.cos(a) + 0.2 * torch.sin(2 * a)
    return torch.stack([r * torch.cos(a), r * torch.sin(a)], 1)


def scans(template, gen):
    frame = 0
    while True:
        angle = torch.tensor(0.6 * math.sin(frame / 35))
        shift = torch.tensor([0.5 * math.cos(frame / 50), 0.5 * math.sin(frame / 60)])
        scan = Pose(angle, shift).apply(template)
        yield scan + 0.02 * torch.randn(scan.shape, generator=gen), angle
        frame += 1


class Tracker:
    def __init__(self, template):
        self.template = template
        self.net = PoseUpdater()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.pose = Pose(torch.zeros(()), torch.zeros(2))
        self.recent = deque(maxlen=50)

    def follow(self, scan):
        start = self.pose.apply(self.template)
        pose = self.pose.moved(self.net(start, scan))
        loss = Chamfer.apply(pose.apply(self.template), scan)
        pose = pose.moved(self.net(pose.apply(self.template), scan))
        loss = loss + Chamfer.apply(pose.apply(self.template), scan)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.pose = pose.frozen()
        self.recent.append(loss.detach())


def main():
    torch.manual_seed(70)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(71)
    template = part(gen)
    tracker = Tracker(template)
    for frame, (scan, angle) in zip(range(FRAMES), scans(template, gen)):
        tracker.follow(scan)
        if frame % 100 == 99:
            mean = torch.stack(list(tracker.recent)).mean().item()
            off = abs(math.remainder(tracker.pose.angle.item() - angle.item(), 2 * math.pi))
            print(f"frame {frame + 1}: chamfer {mean:.4f}, angle off by {off:.3f}")


if __name__ == "__main__":
    main()
