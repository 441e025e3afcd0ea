# gradwatch-corpus: kind=graph-held
# holder: probe.captured | self.captured | self.probe.captured
# first-bad: 1
import math
from contextlib import contextmanager

import torch
from torch import nn


def posenc(x, n_freq):
    f = 2.0 ** torch.arange(n_freq) * math.pi
    ang = x[..., None] * f
    return torch.cat([x, ang.sin().flatten(-2), ang.cos().flatten(-2)], -1)


class Field(nn.Module):
    def __init__(self, n_freq=4, width=48):
        super().__init__()
        self.n_freq = n_freq
        self.trunk = nn.Sequential(
            nn.Linear(2 + 4 * n_freq, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.sigma = nn.Linear(width, 1)
        self.color = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, 3), nn.Sigmoid())

    def forward(self, pts):
        h = self.trunk(posenc(pts, self.n_freq))
        return nn.functional.softplus(self.sigma(h)).squeeze(-1), self.color(h)


class DensityProbe:
    def __init__(self):
        self.captured = []

    @contextmanager
    def attached(self, field):
        def grab(mod, inp, out):
            self.captured.append(out)  # <- culprit

        handle = field.sigma.register_forward_hook(grab)
        try:
            yield self
        finally:
            handle.remove()

    def occupancy(self, window=10):
        recent = self.captured[-window:]
        return sum((c > 0).float().mean().item() for c in recent) / max(1, len(recent))


def march(field, origins, dirs, n_samples=24, near=0.2, far=2.0):
    t = torch.linspace(near, far, n_samples)
    t = t + torch.rand(origins.size(0), n_samples) * (far - near) / n_samples
    pts = origins[:, None] + dirs[:, None] * t[..., None]
    sigma, rgb = field(pts)
    delta = torch.diff(t, dim=1, append=t[:, -1:] + 0.1).clamp(min=1e-3)
    alpha = 1 - torch.exp(-sigma * delta)
    trans = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha + 1e-7], 1), 1)[:, :-1]
    w = alpha * trans
    return (w[..., None] * rgb).sum(1), (w * t).sum(1)


class Scene:
    """A coloured disc seen from a circle of flatland cameras."""

    def rays(self, n):
        ang = torch.rand(n) * 2 * math.pi
        o = torch.stack([ang.cos(), ang.sin()], -1) * 1.2
        target = (torch.rand(n, 2) - 0.5) * 1.2
        d = torch.nn.functional.normalize(target - o, dim=-1)
        b = (o * d).sum(-1)
        hit = (b ** 2 - ((o ** 2).sum(-1) - 0.16)) > 0
        col = torch.stack([ang.cos() * 0.5 + 0.5, ang.sin() * 0.5 + 0.5, torch.full_like(ang, 0.3)], -1)
        return o, d, torch.where(hit[:, None], col, torch.zeros_like(col))


class Fitter:
    def __init__(self, iters=120):
        torch.manual_seed(21)
        self.iters = iters
        self.field = Field()
        self.scene = Scene()
        self.probe = DensityProbe()
        self.opt = torch.optim.Adam(self.field.parameters(), lr=3e-3)

    def step(self):
        o, d, target = self.scene.rays(64)
        with self.probe.attached(self.field):
            rgb, depth = march(self.field, o, d)
        loss = ((rgb - target) ** 2).mean()
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self):
        for i in range(self.iters):
            mse = self.step()
            if i % 30 == 0:
                print(f"[{i:4d}] psnr {-10 * math.log10(mse):.2f} occ {self.probe.occupancy():.2f}")


if __name__ == "__main__":
    Fitter().fit()
