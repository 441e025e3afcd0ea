# gradwatch-corpus: kind=crashed
# first-bad: 0
"""Refine the yaw/pitch/roll of a calibration rig's cameras from noisy 2-D observations of known markers."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Rig:
    n_cameras: int = 4
    n_markers: int = 40
    focal: float = 1.8
    noise: float = 0.003
    seed: int = 7


def euler_to_matrix(angles):
    """Z-Y-X rotation from a (3,) tensor of yaw, pitch, roll."""
    yaw, pitch, roll = angles
    cy, sy = math.cos(yaw), math.sin(yaw)  # <- culprit
    cp, sp = math.cos(pitch), math.sin(pitch)
    cr, sr = math.cos(roll), math.sin(roll)
    return torch.tensor([  # <- culprit
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ])


class Camera(nn.Module):
    def __init__(self, angles, position, focal):
        super().__init__()
        self.angles = nn.Parameter(angles.clone())
        self.register_buffer("position", position)
        self.register_buffer("focal", torch.tensor(focal))

    def forward(self, points):
        local = (points - self.position) @ euler_to_matrix(self.angles).T
        depth = local[:, 2:].clamp(min=0.1)
        return self.focal * local[:, :2] / depth


def build_scene(rig):
    gen = torch.Generator().manual_seed(rig.seed)
    markers = torch.randn(rig.n_markers, 3, generator=gen) + torch.tensor([0.0, 0.0, 6.0])
    true_angles = 0.15 * torch.randn(rig.n_cameras, 3, generator=gen)
    positions = 0.8 * torch.randn(rig.n_cameras, 3, generator=gen)
    obs = []
    with torch.no_grad():
        for a, p in zip(true_angles, positions):
            uv = Camera(a, p, rig.focal)(markers)
            obs.append(uv + rig.noise * torch.randn(uv.shape, generator=gen))
    return markers, positions, true_angles, torch.stack(obs)


class MarkerSampler:
    def __init__(self, n, batch, seed):
        self.n, self.batch = n, batch
        self.gen = torch.Generator().manual_seed(seed)

    def __iter__(self):
        while True:
            yield torch.randperm(self.n, generator=self.gen)[:self.batch]


def robust(residual, delta=0.02):
    a = residual.norm(dim=-1)
    return torch.where(a < delta, 0.5 * a ** 2 / delta, a - 0.5 * delta).mean()


def refine(rig, steps=600):
    markers, positions, true_angles, obs = build_scene(rig)
    cameras = nn.ModuleList(Camera(torch.zeros(3), p, rig.focal) for p in positions)
    opt = torch.optim.Adam(cameras.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 200, gamma=0.3)
    for step, idx in zip(range(steps), MarkerSampler(rig.n_markers, 16, rig.seed + 1)):
        losses = [robust(cam(markers[idx]) - uv[idx]) for cam, uv in zip(cameras, obs)]
        loss = torch.stack(losses).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 50 == 0:
            err = max((cam.angles.detach() - t).abs().max().item() for cam, t in zip(cameras, true_angles))
            print(f"step {step:4d} reprojection {loss.item():.4f} worst angle error {math.degrees(err):.2f} deg")
    return cameras


if __name__ == "__main__":
    torch.manual_seed(0)
    refine(Rig())
