# gradwatch-corpus: kind=graph-chain
# holder: self.pose | tracker.pose | self.tracker.pose | rec.tracker.pose
# first-bad: 1
"""Flatland radiance field learned from a video with unknown camera motion.
Per-frame motion increments are refined together with the field, frame after frame."""
import math

import torch
from torch import nn

N_FRAMES = 260
RAYS = 48
SAMPLES = 14
TURN = 2 * math.pi / 180


def fourier(x, bands=3):
    feats = [x]
    for b in range(bands):
        feats += [torch.sin(2 ** b * x), torch.cos(2 ** b * x)]
    return torch.cat(feats, dim=-1)


class Field(nn.Module):
    def __init__(self, width=32, bands=3):
        super().__init__()
        self.bands = bands
        self.net = nn.Sequential(
            nn.Linear(2 * (1 + 2 * bands), width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, 4),
        )

    def forward(self, xy):
        raw = self.net(fourier(xy, self.bands))
        return nn.functional.softplus(raw[..., 0] - 1), torch.sigmoid(raw[..., 1:])


def true_scene(xy):
    """Three soft discs."""
    centres = torch.tensor([[0.4, 0.1], [-0.3, 0.4], [-0.1, -0.5]])
    colours = torch.eye(3) * 0.8 + 0.1
    d2 = ((xy.unsqueeze(-2) - centres) ** 2).sum(-1)
    w = torch.exp(-d2 / 0.02)
    return 12 * w.sum(-1), (w @ colours) / (w.sum(-1, keepdim=True) + 1e-6)


def camera_rays(pose, offsets):
    """pose = (azimuth, distance, tilt)"""
    az, dist, tilt = pose
    origin = dist * torch.stack([torch.cos(az), torch.sin(az)])
    heading = az + math.pi + tilt + offsets
    return origin, torch.stack([torch.cos(heading), torch.sin(heading)], dim=-1)


def composite(scene, origin, dirs):
    t = torch.linspace(0.8, 3.2, SAMPLES)
    pts = origin + dirs.unsqueeze(1) * t.view(1, -1, 1)
    sigma, rgb = scene(pts)
    alpha = 1 - torch.exp(-sigma * (t[1] - t[0]))
    clear = torch.cumprod(torch.cat([torch.ones(len(dirs), 1), 1 - alpha + 1e-7], 1), 1)[:, :-1]
    return ((alpha * clear).unsqueeze(-1) * rgb).sum(1)


class Video:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        jitter = 0.15 * TURN * torch.randn(N_FRAMES, generator=self.gen)
        self.azimuth = torch.cumsum(TURN + jitter, 0)

    @torch.no_grad()
    def frame(self, i):
        offsets = 0.7 * (torch.rand(RAYS, generator=self.gen) - 0.5)
        pose = torch.stack([self.azimuth[i], torch.tensor(2.0), torch.tensor(0.0)])
        return offsets, composite(true_scene, *camera_rays(pose, offsets))


class Tracker(nn.Module):
    def __init__(self):
        super().__init__()
        self.motion = nn.Parameter(torch.tensor([TURN, 0.0, 0.0]).repeat(N_FRAMES, 1))
        self.pose = torch.tensor([0.0, 2.0, 0.0])

    def advance(self, i):
        self.pose = self.pose + self.motion[i]  # <- culprit
        return self.pose


class Reconstruction:
    def __init__(self, video):
        self.video = video
        self.field = Field()
        self.tracker = Tracker()
        self.opt = torch.optim.Adam([
            {"params": self.field.parameters(), "lr": 4e-3},
            {"params": self.tracker.parameters(), "lr": 1e-4},
        ])

    def process(self, i):
        offsets, target = self.video.frame(i)
        pose = self.tracker.advance(i)
        image = composite(self.field, *camera_rays(pose, offsets))
        loss = ((image - target) ** 2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(2)
    rec = Reconstruction(Video(2))
    for i in range(N_FRAMES):
        mse = rec.process(i)
        if i % 40 == 0:
            drift = abs(rec.tracker.pose[0].item() - rec.video.azimuth[i].item())
            print(f"frame {i:3d} psnr {-10 * math.log10(mse):.2f} dB, drift {math.degrees(drift):.2f} deg")


if __name__ == "__main__":
    main()
