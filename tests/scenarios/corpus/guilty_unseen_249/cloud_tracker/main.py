# gradwatch-corpus: kind=graph-chain
# holder: self._last["pose"] | memory._last["pose"] | self.memory._last["pose"] | runner.memory._last["pose"] | self.memory.pose | runner.memory.pose | memory.pose | self._last | self.memory._last | memory._last | runner.memory._last
# first-bad: 1
"""Object pose tracking over a rotating point cloud, sparse (masked) point network."""
import math
from dataclasses import dataclass

import torch

from layers import PoseNet
from tracking import PoseMemory
from tracking import PoseRunner


@dataclass
class TrackConfig:
    points: int = 64
    objects: int = 8
    hidden: int = 32
    density: float = 0.5
    frames: int = 80
    lr: float = 3e-3
    noise: float = 0.02


class RotatingScene:
    """Yields (points, pose) pairs; pose is xyz plus heading."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(77)
        self.shape = torch.randn(cfg.objects, cfg.points, 3, generator=self.gen)
        self.speed = torch.rand(cfg.objects, generator=self.gen) * 0.1

    def frame(self, index):
        angle = self.speed * index
        cos = torch.cos(angle).view(-1, 1)
        sin = torch.sin(angle).view(-1, 1)
        x = self.shape[..., 0] * cos - self.shape[..., 1] * sin
        y = self.shape[..., 0] * sin + self.shape[..., 1] * cos
        offset = 0.5 * math.sin(index / 9.0)
        cloud = torch.stack([x + offset, y, self.shape[..., 2]], dim=-1)
        cloud = cloud + self.cfg.noise * torch.randn(cloud.shape, generator=self.gen)
        pose = torch.zeros(self.cfg.objects, 4)
        pose[:, :3] = cloud.mean(1)
        pose[:, 3] = torch.sin(angle)
        return cloud, pose


def main():
    torch.manual_seed(9)
    cfg = TrackConfig()
    net = PoseNet(cfg.hidden, cfg.density)
    runner = PoseRunner(net, PoseMemory(cfg.objects), lr=cfg.lr)
    scene = RotatingScene(cfg)
    for index in range(cfg.frames):
        cloud, pose = scene.frame(index)
        stats = runner.observe(cloud, pose)
        if index % 20 == 0:
            print(f"frame {index:3d} smooth_l1 {stats['loss']:.4f} drift {stats['drift']:.3f}")


if __name__ == "__main__":
    main()
