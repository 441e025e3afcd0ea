# gradwatch-corpus: kind=none
"""Depth and camera-motion nets sharing an encoder, separate optimizers per branch."""
from collections import deque
from dataclasses import dataclass
from typing import Iterable

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class SfmConfig:
    size: int = 12
    batch: int = 8
    steps: int = 90
    depth_lr: float = 2e-3
    pose_lr: float = 1e-3
    replay: int = 16


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(2, 12, 3, stride=2, padding=1)
        self.b = nn.Conv2d(12, 16, 3, padding=1)

    def forward(self, pair):
        return F.elu(self.b(F.elu(self.a(pair))))


class ReplayPool:
    """Keeps raw frames (no activations) of hard samples."""

    def __init__(self, size):
        self.frames = deque(maxlen=size)

    def offer(self, pair, depth, motion, errors):
        worst = int(errors.detach().argmax())
        entry = (pair[worst].clone(), depth[worst].clone(), motion[worst].clone())
        self.frames.append(entry)

    def mix(self, pair, depth, motion):
        if len(self.frames) < 4:
            return pair, depth, motion
        old = list(self.frames)[:4]
        pair = torch.cat([pair, torch.stack([e[0] for e in old])])
        depth = torch.cat([depth, torch.stack([e[1] for e in old])])
        motion = torch.cat([motion, torch.stack([e[2] for e in old])])
        return pair, depth, motion


class FramePairs:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(48)

    def draw(self):
        n, s = self.cfg.batch, self.cfg.size
        depth = torch.rand(n, 1, s, s, generator=self.gen)
        depth = F.avg_pool2d(depth, 3, stride=1, padding=1)
        motion = torch.rand(n, 2, generator=self.gen) - 0.5
        shift = motion.sum(1).view(-1, 1, 1, 1)
        pair = torch.cat([depth, depth + shift], dim=1)
        return pair, depth, motion


class SfmRunner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.encoder = Encoder()
        self.depth_head = nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(16, 1, 3, padding=1))
        self.pose_head = nn.Linear(16, 2)
        self.opt_depth = self._optimizer([self.encoder, self.depth_head], cfg.depth_lr)
        self.opt_pose = self._optimizer([self.pose_head], cfg.pose_lr)
        self.pairs = FramePairs(cfg)
        self.pool = ReplayPool(cfg.replay)

    @staticmethod
    def _optimizer(modules: Iterable[nn.Module], lr):
        params = [p for m in modules for p in m.parameters()]
        return torch.optim.Adam(params, lr=lr)

    def step(self):
        fresh = self.pairs.draw()
        pair, depth, motion = self.pool.mix(*fresh)
        features = self.encoder(pair)
        guess = self.depth_head(features)
        errors = (guess - depth).abs().mean(dim=(1, 2, 3))
        depth_loss = errors.mean()
        pose_loss = F.mse_loss(self.pose_head(features.mean(dim=(2, 3))), motion)
        self.opt_depth.zero_grad()
        self.opt_pose.zero_grad()
        depth_loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(self.encoder.parameters(), 0.5)
        pose_loss.backward()
        self.opt_depth.step()
        self.opt_pose.step()
        self.pool.offer(*fresh, errors[:self.cfg.batch])
        return depth_loss.item(), pose_loss.item()


def main():
    torch.manual_seed(47)
    runner = SfmRunner(SfmConfig())
    for step in range(runner.cfg.steps):
        depth, pose = runner.step()
        if step % 18 == 0:
            print(f"step {step:3d} depth {depth:.4f} pose {pose:.4f} pool {len(runner.pool.frames)}")


if __name__ == "__main__":
    main()
