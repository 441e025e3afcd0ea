# gradwatch-corpus: kind=graph-held
# holder: band_energy | band_energy.__wrapped__ | band_energy.cache_info()
# first-bad: 1
# notice: 8
"""
Learn a subgrid closure for 1-D viscous Burgers: a coarse solver plus a small
convolutional correction is pushed four steps forward and compared with a
filtered fine run.  Spectra are monitored on the side.
"""
from functools import cache, partial

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2718)

FINE, COARSE = 256, 32
NU = 0.02
SUB = 16                      # fine steps per coarse step
DT = 0.004 * SUB


def ddx(u, h):
    return (torch.roll(u, -1, -1) - torch.roll(u, 1, -1)) / (2 * h)


def lap(u, h):
    return (torch.roll(u, -1, -1) - 2 * u + torch.roll(u, 1, -1)) / h ** 2


def rhs(u, h):
    return -ddx(0.5 * u * u, h) + NU * lap(u, h)


def euler(u, h, dt, extra=None):
    du = rhs(u, h)
    if extra is not None:
        du = du + extra(u)
    return u + dt * du


@torch.no_grad()
def reference(n_traj, n_coarse):
    x = torch.arange(FINE) / FINE * 2 * np.pi
    k = torch.arange(1, 4)
    amp = torch.randn(n_traj, 3) / k
    phase = 2 * np.pi * torch.rand(n_traj, 3)
    u = (amp[..., None] * torch.sin(k[:, None] * x + phase[..., None])).sum(1)
    h = 2 * np.pi / FINE
    frames = []
    for _ in range(n_coarse):
        frames.append(u.view(n_traj, COARSE, -1).mean(-1))
        for _ in range(SUB):
            u = euler(u, h, DT / SUB)
    return torch.stack(frames, 1)


class Closure(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        conv = partial(nn.Conv1d, kernel_size=5, padding=2, padding_mode="circular")
        self.body = nn.Sequential(conv(1, ch), nn.Tanh(), conv(ch, ch), nn.Tanh(), conv(ch, 1))
        nn.init.zeros_(self.body[-1].weight)
        nn.init.zeros_(self.body[-1].bias)

    def forward(self, u):
        return self.body(u.unsqueeze(1)).squeeze(1)


# asked for several times per iteration (monitor line, alarm, report)
@cache  # <- culprit
def band_energy(u, lo, hi):
    spec = torch.fft.rfft(u, norm="forward")
    return spec[..., lo:hi].abs().square().sum(-1).mean()


def alarm(u):
    top = band_energy(u, 10, 17).item()  # <- culprit
    return not np.isfinite(top) or top > 0.5


def monitor(u, ref):
    model_top = band_energy(u, 10, 17).item()  # <- culprit
    return model_top / max(band_energy(ref, 10, 17).item(), 1e-12)


data = reference(n_traj=24, n_coarse=40)
closure = Closure()
opt = torch.optim.RMSprop(closure.parameters(), lr=1e-3)
ratios, alarms = [], 0

for it in range(300):
    rows = torch.randint(0, data.shape[0], (12,))
    start = int(torch.randint(0, data.shape[1] - 4, ()))
    u = data[rows, start]
    loss = 0.0
    for s in range(1, 5):
        u = euler(u, 2 * np.pi / COARSE, DT, extra=closure)
        loss = loss + (u - data[rows, start + s]).square().mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(closure.parameters(), 1.0)
    opt.step()

    alarms += alarm(u)
    ratios.append(monitor(u, data[rows, start + 4]))
    if it % 75 == 0:
        print(f"{it:4d}  loss {loss.item():.3e}  small-scale energy ratio {ratios[-1]:.2f}")

print("alarms:", alarms, " mean ratio, last 50:", round(float(np.mean(ratios[-50:])), 3))
