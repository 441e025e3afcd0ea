# gradwatch-corpus: kind=none
"""Flatland nerf: a 2D glowing lantern seen by 1D cameras. Ray marching with checkpoints to keep the tape short."""
import math

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(451)

SAMPLES = 20
RAYS = 48
EPOCHS = 5
STEPS_PER_EPOCH = 20


class Glow(nn.Module):
    def __init__(self, width=32, bands=3):
        super().__init__()
        self.freqs = [2.0 ** k for k in range(bands)]
        self.inp = nn.Linear(2 + 4 * bands, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 2)

    def encode(self, p):
        return torch.cat([p] + [f(k * p) for k in self.freqs for f in (torch.sin, torch.cos)], -1)

    def forward(self, p):
        h = torch.relu(self.inp(self.encode(p)))
        h = torch.relu(self.mid(h))
        density, colour = self.out(h).unbind(-1)
        return nn.functional.softplus(density), torch.sigmoid(colour)


def lantern(p):
    r = p.norm(dim=-1)
    shell = torch.exp(-60 * (r - 0.5) ** 2) * 6
    return shell, 0.5 + 0.5 * torch.sin(3 * torch.atan2(p[..., 1], p[..., 0]))


def march(density, colour, dt):
    alpha = 1 - torch.exp(-density * dt)
    clear = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-6], 1), 1)[:, :-1]
    weight = alpha * clear
    return (weight * colour).sum(1), weight


class Studio:
    def __init__(self):
        self.field = Glow()
        self.opt = torch.optim.Adam(self.field.parameters(), lr=5e-3)
        self.weights_seen = []
        self.epoch_report = []
        self.dt = 2.0 / SAMPLES

    def rays(self):
        a = torch.rand(RAYS) * 2 * math.pi
        origin = torch.stack([torch.cos(a), torch.sin(a)], 1)
        tilt = a + math.pi + (torch.rand(RAYS) - 0.5)
        return origin, torch.stack([torch.cos(tilt), torch.sin(tilt)], 1)

    def points(self):
        origin, direction = self.rays()
        t = (torch.arange(SAMPLES) + torch.rand(RAYS, SAMPLES)) * self.dt
        return origin[:, None] + direction[:, None] * t[..., None]

    def query(self, p):
        halves = [checkpoint(self.field, half, use_reentrant=False) for half in p.chunk(2, dim=1)]
        density = torch.cat([h[0] for h in halves], 1)
        colour = torch.cat([h[1] for h in halves], 1)
        return density, colour

    def shoot(self):
        p = self.points()
        truth, _ = march(*lantern(p), self.dt)
        seen, weight = march(*self.query(p), self.dt)
        loss = (seen - truth).pow(2).mean() + 1e-4 * weight.sum(1).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.weights_seen.append(weight.detach().sum(1))
        return loss.detach()

    def epoch(self):
        running = torch.zeros(())
        for _ in range(STEPS_PER_EPOCH):
            running += self.shoot()
        opaque = torch.cat(self.weights_seen)
        self.epoch_report.append((running.item() / STEPS_PER_EPOCH, opaque.mean().item()))
        self.weights_seen.clear()


studio = Studio()
for e in range(EPOCHS):
    studio.epoch()
    loss, opaque = studio.epoch_report[-1]
    print(f"epoch {e} loss {loss:.5f} psnr {-10 * math.log10(loss):.2f} opaque {opaque:.3f}")

with torch.no_grad():
    line = torch.linspace(-1, 1, 21)
    density, _ = studio.field(torch.stack([line, torch.zeros(21)], 1))
print("cut through the middle:", "".join("#" if d > 1.5 else "." for d in density.tolist()))
