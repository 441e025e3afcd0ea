# gradwatch-corpus: kind=none
# about: the solver's state goes from window to window and the loss is summed over six solver steps, but assigning the state cuts it
"""Learned eddy-viscosity closure for a coarse two-dimensional vorticity solver, trained in windows along one long run."""
import math

import torch
import torch.fft as fft
from torch import nn

COARSE, FINE = 16, 32


class Spectral:
    def __init__(self, n):
        k = fft.fftfreq(n, 1 / n)
        self.kx, self.ky = k[:, None], k[None, : n // 2 + 1].abs()
        self.k2 = self.kx ** 2 + self.ky ** 2
        self.inv = torch.where(self.k2 > 0, -1 / self.k2.clamp_min(1e-9), torch.zeros_like(self.k2))
        self.n = n

    def velocity(self, w_hat):
        psi = self.inv * w_hat
        return self.back(1j * self.ky * psi), self.back(-1j * self.kx * psi)

    def back(self, f):
        return fft.irfft2(f, s=(self.n, self.n))

    def tendency(self, w, nu):
        w_hat = fft.rfft2(w)
        u, v = self.velocity(w_hat)
        adv = u * self.back(1j * self.kx * w_hat) + v * self.back(1j * self.ky * w_hat)
        return -adv + nu * self.back(-self.k2 * w_hat)


class Solver:
    def __init__(self, n, dt, nu):
        self.ops, self.dt, self.nu = Spectral(n), dt, nu
        self._w = torch.zeros(n, n)

    @property
    def w(self):
        return self._w

    @w.setter
    def w(self, value):
        self._w = value.detach()

    def run(self, steps, extra=None):
        w = self._w
        for _ in range(steps):
            nu = self.nu if extra is None else self.nu + extra(w)
            mid = w + 0.5 * self.dt * self.ops.tendency(w, nu)
            w = w + self.dt * self.ops.tendency(mid, nu)
            yield w
        self.w = w


class EddyViscosity(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1, padding_mode="circular"), nn.SiLU(), nn.Conv2d(8, 1, 3, padding=1, padding_mode="circular")
        )

    def forward(self, w):
        return 0.02 * nn.functional.softplus(self.net(w[None, None])[0, 0])


def coarsen(w):
    return nn.functional.avg_pool2d(w[None, None], FINE // COARSE)[0, 0]


def start(n):
    ax = torch.arange(n) * 2 * math.pi / n
    y, x = torch.meshgrid(ax, ax, indexing="ij")
    return sum(math.cos(p) * torch.sin(a * x + b * y + p) for a, b, p in ((1, 2, 0.3), (2, -1, 1.1), (3, 1, 2.0), (1, -3, 0.7)))


def main():
    torch.manual_seed(51)
    dns, les = Solver(FINE, 0.01, 0.004), Solver(COARSE, 0.01, 0.004)
    closure = EddyViscosity()
    opt = torch.optim.Adam(closure.parameters(), lr=3e-3)
    dns.w = start(FINE)
    les.w = coarsen(dns.w)
    for window in range(300):
        total = 0.0
        for fine, coarse in zip(dns.run(6), les.run(6, closure), strict=True):
            total = total + (coarse - coarsen(fine)).pow(2).mean()
        opt.zero_grad()
        total.backward()
        opt.step()
        if window % 20 == 19:
            dns.w = dns.w + 0.3 * start(FINE).roll(window, 0)
            les.w = coarsen(dns.w)
        if window % 60 == 0:
            print(f"window {window:3d} gap {total.item():.3e} enstrophy {les.w.pow(2).mean().item():.4f}")


if __name__ == "__main__":
    main()
