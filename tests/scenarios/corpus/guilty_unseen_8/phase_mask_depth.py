# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Designs a pupil phase mask for extended depth of field (scalar Fourier optics, incoherent imaging).

The mask is trained on random object patches at random defocus; at each step the through-focus transfer curve of the
present mask is evaluated for the record.
"""
import collections
import math

import torch
import torch.nn.functional as F

GRID = 40


def pupil_coords(n=GRID):
    ax = torch.linspace(-1.6, 1.6, n)
    y, x = torch.meshgrid(ax, ax, indexing="ij")
    return x, y, ((x ** 2 + y ** 2) <= 1).float()


class PhaseMask(torch.nn.Module):
    """Separable odd/even polynomial phase plus a free-form residual."""

    def __init__(self):
        super().__init__()
        x, y, stop = pupil_coords()
        for name, t in (("x", x), ("y", y), ("stop", stop)):
            self.register_buffer(name, t)
        self.cubic = torch.nn.Parameter(torch.tensor(2.0))
        self.quint = torch.nn.Parameter(torch.tensor(0.0))
        self.free = torch.nn.Parameter(0.05 * torch.randn(GRID, GRID))

    def psf(self, defocus):
        smooth = F.avg_pool2d(self.free[None, None], 3, 1, 1)[0, 0]
        phase = self.cubic * (self.x ** 3 + self.y ** 3) + self.quint * (self.x ** 5 + self.y ** 5) + smooth
        phase = phase + defocus[:, None, None] * (self.x ** 2 + self.y ** 2)
        field = torch.polar(self.stop.expand_as(phase), phase)
        spot = torch.fft.fft2(field).abs().pow(2)
        return spot / spot.sum((-2, -1), keepdim=True)

    def transfer(self, defocus):
        return torch.fft.fft2(self.psf(defocus))


def image(objects, otf):
    return torch.fft.ifft2(torch.fft.fft2(objects) * otf).real


def wiener(blurred, otf, snr=200.0):
    w = otf.conj() / (otf.abs().pow(2) + 1.0 / snr)
    return torch.fft.ifft2(torch.fft.fft2(blurred) * w).real


def patches(n):
    coarse = torch.rand(n, 1, 10, 10)
    return F.interpolate(coarse, (GRID, GRID), mode="nearest").squeeze(1)


def through_focus(mask, planes, ring):  # <- culprit
    """Worst and mean modulation over the focal range at one spatial frequency."""
    curve = []
    for psi in planes:
        mtf = mask.transfer(psi[None]).abs()[0]  # <- culprit
        curve.append(mtf[0, ring] * 0.5 + mtf[ring, 0] * 0.5)
    curve = torch.stack(curve)
    return curve.min().item(), curve.mean().item()


def main():
    torch.manual_seed(1873)
    mask = PhaseMask()
    opt = torch.optim.Adam([{"params": [mask.cubic, mask.quint], "lr": 0.05}, {"params": [mask.free], "lr": 0.01}])
    planes = torch.linspace(-4 * math.pi / 3, 4 * math.pi / 3, 5)
    record = collections.deque(maxlen=50)
    for it in range(300):
        scene = patches(6)
        psi = (torch.rand(6) * 2 - 1) * planes.max()
        blurred = image(scene, mask.transfer(psi))
        blurred = blurred + 0.01 * torch.randn_like(blurred)
        restored = wiener(blurred, mask.transfer(torch.zeros(1)))
        loss = F.mse_loss(restored, scene)
        opt.zero_grad()
        loss.backward()
        opt.step()
        mask.eval()
        record.append(through_focus(mask, planes, ring=4))  # <- culprit
        mask.train()
        if it % 60 == 0:
            print(f"{it:4d} mse {loss.item():.5f} cubic {mask.cubic.item():.2f} mtf min/mean {record[-1][0]:.3f}/{record[-1][1]:.3f}")
    print("mean worst modulation, last 50:", round(sum(r[0] for r in record) / len(record), 4))


if __name__ == "__main__":
    main()
