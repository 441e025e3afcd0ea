# gradwatch-corpus: kind=inplace-modified
# holder: u
# first-bad: 7
"""Recover the viscosity profile of a 1-D Burgers flow by adjoint descent."""
import math

import torch

NX = 64
DX = 2.0 / NX
DT = 0.004
STEPS = 20


class Measurement:
    """Final-time velocity for several initial amplitudes."""

    def __init__(self, amplitudes):
        self.x = -1.0 + DX * (0.5 + torch.arange(NX))
        self.amplitudes = amplitudes
        profile = 0.02 + 0.015 * torch.exp(-4.0 * self.x ** 2)
        self.final = {}
        for a in amplitudes:
            u = self.initial(a)
            for _ in range(STEPS):
                u = u + DT * tendency(u, profile)
            self.final[a] = u

    def initial(self, amplitude):
        return -amplitude * torch.sin(math.pi * self.x)


def tendency(u, nu):
    left = torch.roll(u, 1)
    right = torch.roll(u, -1)
    flux = u * (right - left) / (2.0 * DX)
    diffusion = nu * (right - 2.0 * u + left) / DX ** 2
    return diffusion - flux


class BurgersFit:
    def __init__(self, data, lr):
        self.data = data
        self.log_nu = torch.full((NX,), math.log(0.03)).requires_grad_(True)
        self.opt = torch.optim.Adam([self.log_nu], lr=lr)
        self.history = {"misfit": [], "limited": []}

    def limiter(self, u, bound):
        peak = u.detach().abs().max().item()
        if peak > bound:
            u.clamp_(-bound, bound)  # <- culprit
            return True
        return False

    def solve(self, amplitude, bound):
        nu = self.log_nu.exp()
        u = self.data.initial(amplitude)
        limited = 0
        for _ in range(STEPS):
            du = tendency(u, nu)
            u = u + DT * du
            slope = u * torch.roll(u, -1)
            u = u - 1e-4 * slope
            limited += self.limiter(u, bound)
        energy = 0.5 * DX * (u ** 2).sum()
        limited += self.limiter(u, 0.98 * bound)  # <- culprit
        return u, energy, limited

    def iterate(self, k):
        amplitude = self.data.amplitudes[k % len(self.data.amplitudes)]
        u, energy, limited = self.solve(amplitude, bound=1.5)
        target = self.data.final[amplitude]
        misfit = ((u - target) ** 2).mean()
        target_energy = 0.5 * DX * (target ** 2).sum()
        rough = ((self.log_nu[1:] - self.log_nu[:-1]) ** 2).mean()
        loss = misfit + 0.1 * (energy - target_energy) ** 2 + 1e-4 * rough
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.history["misfit"].append(misfit.item())
        self.history["limited"].append(limited)


if __name__ == "__main__":
    torch.manual_seed(0)
    sizes = [0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.65]
    fit = BurgersFit(Measurement(sizes), lr=0.02)
    for k in range(120):
        fit.iterate(k)
        print(f"{k:3d}  misfit {fit.history['misfit'][-1]:.3e}  limited {fit.history['limited'][-1]}")
