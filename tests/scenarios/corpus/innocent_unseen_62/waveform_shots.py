# gradwatch-corpus: kind=none
"""Acoustic full-waveform inversion in one dimension, one shot per pass.

The misfits of ``shots_per_update`` shots are summed as they are simulated; the
velocity model moves once the sum is complete.
"""
import argparse
import math

import torch


def ricker(n, dt, f):
    t = (torch.arange(n) * dt - 1.2 / f) * math.pi * f
    return (1 - 2 * t ** 2) * torch.exp(-t ** 2)


class Medium:
    """Layered squared-velocity profile, in a bounded parametrisation."""

    def __init__(self, n, lo=1.0, hi=3.0):
        self.lo, self.hi = lo, hi
        self.raw = torch.zeros(n, requires_grad=True)

    def speed(self):
        return self.lo + (self.hi - self.lo) * torch.sigmoid(self.raw)


def propagate(speed, wavelet, src, receivers, dt=0.008, dx=0.05):
    """Second-order scheme with absorbing sponges; returns (time, receiver)."""
    n = len(speed)
    edge = torch.arange(n)
    edge = torch.minimum(edge, edge.flip(0)).clamp(max=10)
    damp = 1.0 - 0.02 * (10 - edge)
    spike = torch.zeros(n)
    spike[src] = dt ** 2 * 400
    c2 = (speed * dt / dx).square()
    past, now, seen = torch.zeros(n), torch.zeros(n), []
    for amp in wavelet:
        lap = now.roll(1) - 2 * now + now.roll(-1)
        past, now = now * damp, (2 * now - past + c2 * lap + amp * spike) * damp
        seen.append(now[receivers])
    return torch.stack(seen)


class Survey:
    def __init__(self, n, n_t, seed):
        self.wavelet = ricker(n_t, 0.008, f=6.0)
        self.receivers = torch.arange(4, n - 4, 4)
        depth = torch.linspace(0, 1, n)
        self.truth = 1.6 + 0.5 * (depth > 0.4).float() + 0.3 * (depth > 0.7).float()
        self.g = torch.Generator().manual_seed(seed)
        self.sources = list(range(8, n - 8, 6))
        with torch.no_grad():
            self.traces = {s: propagate(self.truth, self.wavelet, s, self.receivers)
                           for s in self.sources}

    def shots(self, count):
        for _ in range(count):
            yield self.sources[int(torch.randint(len(self.sources), (), generator=self.g))]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--shots", type=int, default=180)
    ap.add_argument("--shots-per-update", type=int, default=6)
    ap.add_argument("--cells", type=int, default=64)
    ap.add_argument("--samples", type=int, default=60)
    args = ap.parse_args()
    torch.set_num_threads(1)

    survey = Survey(args.cells, args.samples, seed=0)
    medium = Medium(args.cells)
    opt = torch.optim.Adam([medium.raw], lr=0.05)
    pending, parts = torch.zeros(()), []
    curve = []
    for i, src in enumerate(survey.shots(args.shots)):
        synthetic = propagate(medium.speed(), survey.wavelet, src, survey.receivers)
        misfit = (synthetic - survey.traces[src]).square().mean()
        pending = pending + misfit
        parts.append(misfit)
        if (i + 1) % args.shots_per_update == 0:
            spread = torch.stack(parts).std()
            rough = (medium.speed().diff()).square().sum()
            opt.zero_grad()
            (pending + 0.1 * spread + 1e-3 * rough).backward()
            opt.step()
            curve.append(pending.item() / args.shots_per_update)
            pending = torch.zeros(())
            parts.clear()
            if len(curve) % 5 == 1:
                err = (medium.speed().detach() - survey.truth).abs().mean().item()
                print(f"update {len(curve):3d}  misfit {curve[-1]:.3e}  |dv| {err:.4f}")


if __name__ == "__main__":
    main()
