# gradwatch-corpus: kind=graph-held
# holder: self._lines | log._lines | DeferredLog._lines | self._lines[-1] | render
# first-bad: 1
"""Post-stack impedance inversion with a learned prior, as in the second paper (no field data in
this version, the section is a layered model plus noise)."""
import math

import torch
import torch.nn as nn

torch.manual_seed(42)

NT, NX = 96, 24        # samples, traces
DT = 0.004
F0 = 22.0
ITERS = 250
NOISE = 0.01
REFRESH = 25


# ------------------------------------------------------------------ forward modelling
def ricker(f0, dt, half=16):
    t = torch.arange(-half, half + 1) * dt
    a = (math.pi * f0 * t) ** 2
    return (1 - 2 * a) * torch.exp(-a)


WAVELET = ricker(F0, DT).view(1, 1, -1)


def reflectivity(log_imp):
    r = 0.5 * (log_imp[:, 1:] - log_imp[:, :-1])
    return nn.functional.pad(r, (1, 0))


def synthetic(log_imp):
    r = reflectivity(log_imp).unsqueeze(1)
    return nn.functional.conv1d(r, WAVELET, padding=WAVELET.shape[-1] // 2).squeeze(1)


def layered_model():
    g = torch.Generator().manual_seed(7)
    tops = torch.sort(torch.randint(8, NT - 8, (6,), generator=g)).values
    jumps = 0.25 * torch.randn(6, generator=g)
    m = torch.full((NX, NT), 8.5)
    for top, jump in zip(tops.tolist(), jumps.tolist()):
        for ix in range(NX):
            dip = int(4 * math.sin(ix / NX * math.pi))
            m[ix, top + dip:] += jump
    return m


# ------------------------------------------------------------------ unknowns
class Section(nn.Module):
    """Background trend plus a smooth correction from a small coordinate network."""

    def __init__(self, background):
        super().__init__()
        self.register_buffer("background", background)
        x = torch.linspace(-1, 1, NX).view(-1, 1).expand(NX, NT)
        z = torch.linspace(-1, 1, NT).view(1, -1).expand(NX, NT)
        freq = torch.arange(1, 5) * math.pi
        feats = [f(c[..., None] * freq) for c in (x, z) for f in (torch.sin, torch.cos)]
        self.register_buffer("coords", torch.cat(feats, -1))
        self.net = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 1))
        self.fine = nn.Parameter(torch.zeros(NX, NT))

    def forward(self):
        return self.background + self.net(self.coords).squeeze(-1) + self.fine


# ------------------------------------------------------------------ bookkeeping
class DeferredLog:
    """Formatting is done once, after the inversion; the loop itself only queues."""

    def __init__(self):
        self._lines = []

    def queue(self, render):
        self._lines.append(render)  # <- culprit

    def write(self, every=1):
        for render in self._lines[::every]:
            print(render())


def weights_at(it):
    """Continuation: strong smoothing first, less later."""
    s = max(0.0, 1 - it / ITERS)
    return 2e-2 * s + 2e-3, 1e-3


def iterate(section, observed, opt, log, it):
    w_smooth, w_fine = weights_at(it)
    log_imp = section()
    misfit = (synthetic(log_imp) - observed).pow(2).mean() / NOISE ** 2
    rough = (log_imp[1:] - log_imp[:-1]).pow(2).mean()
    fine = section.fine.abs().mean()
    objective = misfit + w_smooth * rough / NOISE + w_fine * fine / NOISE

    opt.zero_grad()
    objective.backward()
    opt.step()

    log.queue(lambda: f"{it:4d}  misfit {misfit:9.4f}  rough {rough:.3e}  fine {fine:.3e}")  # <- culprit
    return objective.item()


def main():
    truth = layered_model()
    background = nn.functional.avg_pool1d(truth.unsqueeze(1), 41, 1, 20, count_include_pad=False).squeeze(1)
    observed = synthetic(truth)
    observed = observed + NOISE * torch.randn(observed.shape)

    section = Section(background)
    opt = torch.optim.Adam(section.parameters(), lr=2e-3)
    log = DeferredLog()
    best = float("inf")
    for it in range(ITERS):
        value = iterate(section, observed, opt, log, it)
        best = min(best, value)
        if it % 100 == 0:
            print(f"... {it} done, objective {value:.3f}")

    log.write(every=REFRESH)
    with torch.no_grad():
        err = (section() - truth).pow(2).mean().sqrt()
    print(f"best objective {best:.3f}, rms error of log impedance {err:.4f}")


if __name__ == "__main__":
    main()
