# gradwatch-corpus: kind=graph-chain
# holder: self.yaw | fleet.yaw
# first-bad: 1
"""Online estimate of the gyro offsets of a fleet of small rovers.

Each tick a rover integrates its gyro (radians per tick); a noisy compass and a few bearings to known beacons
correct the offsets while driving."""
import math
from typing import NamedTuple

import torch
from torch import nn


class Reading(NamedTuple):
    turn: torch.Tensor      # gyro increments, already in radians
    compass: torch.Tensor
    bearings: torch.Tensor  # beacon bearings seen from the body


class World:
    def __init__(self, rovers, beacons, seed=5):
        self.rng = torch.Generator().manual_seed(seed)
        self.offset = 0.02 * torch.randn(rovers, generator=self.rng)
        self.truth = torch.zeros(rovers)
        self.azimuth = torch.rand(beacons, generator=self.rng) * 2 * math.pi

    def noise(self, *shape, scale):
        return scale * torch.randn(*shape, generator=self.rng)

    def __iter__(self):
        return self

    def __next__(self):
        n = self.truth.numel()
        turn = self.noise(n, scale=0.05)
        self.truth = self.truth + turn
        return Reading(
            turn + self.offset + self.noise(n, scale=0.002),
            self.truth + self.noise(n, scale=0.08),
            self.azimuth[None, :] - self.truth[:, None] + self.noise(n, len(self.azimuth), scale=0.03),
        )


class Fleet(nn.Module):
    def __init__(self, rovers, azimuth):
        super().__init__()
        self.gyro_offset = nn.Parameter(torch.zeros(rovers))
        self.mount = nn.Parameter(torch.zeros(()))
        self.register_buffer("azimuth", azimuth)
        self.yaw = torch.zeros(rovers)

    def advance(self, turn):
        self.yaw = self.yaw + (turn - self.gyro_offset)  # <- culprit
        return self.yaw

    def settle(self, compass, gain=0.15):
        lean = torch.sin(compass - self.yaw.detach())
        self.yaw = self.yaw + gain * lean  # <- culprit

    def misfit(self, reading):
        yaw = self.advance(reading.turn)
        north = 1 - torch.cos(yaw - reading.compass)
        expect = self.azimuth[None, :] - yaw[:, None] + self.mount
        sight = 1 - torch.cos(expect - reading.bearings)
        return north.mean() + 4 * sight.mean() + 0.1 * self.mount.square()


def main(ticks=500):
    torch.manual_seed(0)
    world = World(rovers=48, beacons=6)
    fleet = Fleet(48, world.azimuth)
    tuner = torch.optim.Adam(fleet.parameters(), lr=4e-4)
    for tick, reading in zip(range(ticks), world):
        tuner.zero_grad()
        misfit = fleet.misfit(reading)
        misfit.backward()
        tuner.step()
        fleet.settle(reading.compass)
        if tick % 60 == 0:
            err = (fleet.gyro_offset.detach() - world.offset).abs().mean()
            print(f"tick {tick:4d}  misfit {misfit.item():.4f}  mean offset error {math.degrees(err):.3f} deg/tick")


if __name__ == "__main__":
    main()
