# gradwatch-corpus: kind=graph-chain
# holder: rig.xy | self.xy | rig
# first-bad: 1
"""On-line calibration of wheel-encoder offsets for a small rover that sees landmarks now and then.

The rover integrates (measured step - offset) and compares predicted ranges with the measured ones at each tick.
"""
import math

import torch
from torch import nn


class Rover:
    """The real thing, for making data."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.at = torch.zeros(2)
        self.offset = torch.tensor([0.012, -0.008])
        self.beacons = torch.randn(64, 2, generator=self.g) * 6

    def tick(self, t):
        d = 0.05 * torch.tensor([math.cos(t / 25), math.sin(t / 25)])
        self.at = self.at + d
        enc = d + self.offset + 0.002 * torch.randn(2, generator=self.g)
        rng = (self.beacons - self.at).norm(dim=1) + 0.03 * torch.randn(64, generator=self.g)
        return enc, rng


class Estimator(nn.Module):
    def __init__(self, beacons):
        super().__init__()
        self.slip = nn.Parameter(torch.zeros(2))
        self.gain = nn.Sequential(nn.Linear(64, 256), nn.Tanh(), nn.Linear(256, 64))
        self.register_buffer("beacons", beacons)
        self.xy = torch.zeros(2)

    def advance(self, enc):
        self.xy = self.xy + enc - self.slip  # <- culprit
        return self.xy

    def ranges(self):
        raw = (self.beacons - self.xy).norm(dim=1)
        return raw + 0.01 * self.gain(raw.detach() / 10)


def nudge(rig, rng_obs, gain=0.02):
    """Cheap position fix from the ranges, in the manner of a fixed-gain observer."""
    with torch.no_grad():
        delta = rig.beacons - rig.xy
        r = delta.norm(dim=1, keepdim=True)
        fix = (delta / r * (r - rng_obs[:, None])).mean(0)
    rig.xy = rig.xy + gain * fix  # <- culprit


rover = Rover(4)
torch.manual_seed(4)
rig = Estimator(rover.beacons)
tuner = torch.optim.Adam([
    {"params": [rig.slip], "lr": 4e-4},
    {"params": rig.gain.parameters(), "lr": 1e-3},
])

for tick in range(330):
    enc, rng_obs = rover.tick(tick)
    rig.advance(enc)
    miss = nn.functional.huber_loss(rig.ranges(), rng_obs, delta=0.2)
    tuner.zero_grad()
    miss.backward()
    nn.utils.clip_grad_norm_([rig.slip], 1.0)
    tuner.step()
    nudge(rig, rng_obs)
    if tick % 55 == 0:
        off = (rig.xy.detach() - rover.at).norm().item()
        print(f"tick {tick:3d} miss {miss.item():.5f} slip {rig.slip.tolist()} position error {off:.3f}")
