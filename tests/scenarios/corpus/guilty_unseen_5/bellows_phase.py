# gradwatch-corpus: kind=graph-chain
# holder: plate
# first-bad: 1
"""
Gerchberg-Saxton-like design of a diffractive phase plate, by plain descent on the far field.

The plate is a height map (in waves). We want the intensity in the Fourier plane to look like a ring
with a notch. Heavy-ball momentum written out by hand, with step halving when the merit gets worse.
"""
import math
from collections import namedtuple

import torch

SIDE = 64
STEPS = 340
Merit = namedtuple("Merit", "total misfit rough")


def target_ring(side):
    ax = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(ax, ax, indexing="ij")
    radius = (xx ** 2 + yy ** 2).sqrt()
    ring = torch.exp(-((radius - 0.45) / 0.07) ** 2)
    ring = ring * (1 - torch.exp(-((torch.atan2(yy, xx) - 0.8) / 0.3) ** 2))
    return ring / ring.sum()


def far_field(height):
    wave = torch.polar(torch.ones_like(height), 2 * math.pi * height)
    field = torch.fft.fftshift(torch.fft.fft2(wave, norm="ortho"))
    power = field.real ** 2 + field.imag ** 2
    return power / power.sum()


def merit_of(height, wanted, smooth):
    got = far_field(height)
    misfit = (wanted * ((wanted + 1e-9).log() - (got + 1e-9).log())).sum()
    turn = 2 * math.pi
    rough = 2 - (turn * height.diff(dim=0)).cos().mean() - (turn * height.diff(dim=1)).cos().mean()
    return Merit(misfit + smooth * rough, misfit.item(), rough.item())


class HeavyBall:
    def __init__(self, shape, step, friction):
        self.velocity = torch.zeros(shape)
        self.step = step
        self.friction = friction
        self.previous = math.inf

    def propose(self, slope, value):
        if value > self.previous * 1.02:
            self.step *= 0.7
            self.velocity.mul_(0.2)
        self.previous = value
        self.velocity.mul_(self.friction).add_(slope)
        return self.step * self.velocity


def design(seed=3):
    torch.manual_seed(seed)
    wanted = target_ring(SIDE)
    plate = (0.3 * torch.randn(SIDE, SIDE)).requires_grad_()
    ball = HeavyBall(plate.shape, step=6.0, friction=0.85)
    best = math.inf
    for sweep in range(STEPS):
        plate = torch.remainder(plate, 1.0)      # heights are only defined up to a full wave
        merit = merit_of(plate, wanted, smooth=0.02)
        slope, = torch.autograd.grad(merit.total, plate)
        plate = plate - ball.propose(slope, merit.misfit)  # <- culprit
        best = min(best, merit.misfit)
        if sweep % 40 == 0 or sweep == STEPS - 1:
            print(f"sweep {sweep:4d}  misfit {merit.misfit:.4f}  rough {merit.rough:.4f}  "
                  f"best {best:.4f}  step {ball.step:.3f}")
    return plate


if __name__ == "__main__":
    final = design()
    quantised = (final.detach() * 16).round() / 16
    print("misfit after 16-level quantisation:",
          round(merit_of(quantised, target_ring(SIDE), 0.0).misfit, 4))
