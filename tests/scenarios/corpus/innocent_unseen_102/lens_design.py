# gradwatch-corpus: kind=none
"""Learn a phase plate so that a point source lands on a ring (scalar Fourier optics)."""
import functools

import torch
from torch import nn

N = 24
ITERS = 360


@functools.lru_cache(maxsize=None)
def grid(n):
    ax = torch.linspace(-1, 1, n)
    return torch.meshgrid(ax, ax, indexing="ij")


class Plate(nn.Module):
    """Phase as a radial polynomial plus a free low-resolution correction."""

    def __init__(self, order=4):
        super().__init__()
        self.coeff = nn.Parameter(0.1 * torch.randn(order))
        self.free = nn.Parameter(0.01 * torch.randn(1, 1, 6, 6))

    def fingerprint(self):
        return tuple(round(c, 7) for c in self.coeff.tolist()) + (float(self.free.detach().sum()),)

    def phase(self):
        yy, xx = grid(N)
        r2 = xx ** 2 + yy ** 2
        poly = sum(c * r2 ** (k + 1) for k, c in enumerate(self.coeff))
        fine = nn.functional.interpolate(self.free, size=(N, N), mode="bicubic", align_corners=True)
        return 6.0 * poly + fine[0, 0]


def make_propagator(plate, keep=24):
    @functools.lru_cache(maxsize=keep)
    def field(fingerprint):
        yy, xx = grid(N)
        aperture = ((xx ** 2 + yy ** 2) <= 1).float()
        u = torch.polar(aperture, plate.phase())
        far = torch.fft.fftshift(torch.fft.fft2(u, norm="ortho"))
        return far.real ** 2 + far.imag ** 2

    def intensity():
        # several terms of the merit function ask for the same field
        return field(plate.fingerprint())

    intensity.cache_info = field.cache_info
    return intensity


def ring_target(radius=0.4, width=0.1):
    yy, xx = grid(N)
    t = torch.exp(-(((xx ** 2 + yy ** 2).sqrt() - radius) / width) ** 2)
    return t / t.sum()


def shape_error(intensity, target):
    img = intensity()
    return ((img / img.sum() - target) ** 2).sum() * N * N


def centre_power(intensity):
    img = intensity()
    c = N // 2
    return img[c - 1:c + 2, c - 1:c + 2].sum() / img.sum()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    plate = Plate()
    intensity = make_propagator(plate)
    target = ring_target()
    opt = torch.optim.Adam(plate.parameters(), lr=0.01)
    for it in range(ITERS):
        merit = shape_error(intensity, target) + 0.5 * centre_power(intensity)
        opt.zero_grad()
        merit.backward()
        opt.step()
        if it % 60 == 0:
            print(f"{it:4d} merit {merit.item():.4f}")
    print(intensity.cache_info())


if __name__ == "__main__":
    main()
