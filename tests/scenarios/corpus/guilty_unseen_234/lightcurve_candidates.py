# gradwatch-corpus: kind=graph-held
# holder: self.candidates | search.candidates
# first-bad: 1
"""Fit a box-like transit to a stellar light curve and keep every candidate."""
import bisect
import itertools

import torch

DAYS = 18.0
N_OBS = 900


class LightCurve:
    def __init__(self, seed):
        g = torch.Generator().manual_seed(seed)
        self.time = torch.sort(DAYS * torch.rand(N_OBS, generator=g)).values
        self.sigma = 4e-4
        star = 3e-4 * torch.sin(2 * torch.pi * self.time / 7.7)
        phase = torch.remainder(self.time - 1.1, 3.3)
        dip = -2.5e-3 * ((phase < 0.12) | (phase > 3.18)).float()
        self.flux = 1.0 + star + dip + self.sigma * torch.randn(N_OBS, generator=g)

    def split(self):
        odd = torch.arange(N_OBS) % 5 == 0
        return ~odd, odd


class TransitModel(torch.nn.Module):
    def __init__(self, period, epoch):
        super().__init__()
        self.period = torch.nn.Parameter(torch.tensor(period))
        self.epoch = torch.nn.Parameter(torch.tensor(epoch))
        self.log_depth = torch.nn.Parameter(torch.tensor(-6.5))
        self.half_width = torch.nn.Parameter(torch.tensor(0.15))
        self.star = torch.nn.Parameter(torch.zeros(3))

    def forward(self, t):
        cycles = (t - self.epoch) / self.period
        distance = (cycles - torch.round(cycles.detach())) * self.period
        edge = 0.02
        inside = torch.sigmoid((self.half_width - distance.abs()) / edge)
        angle = 2 * torch.pi * t / 7.7
        trend = self.star[0] + self.star[1] * torch.sin(angle) + self.star[2] * torch.cos(angle)
        return 1.0 + 1e-3 * trend - self.log_depth.exp() * inside


class CandidateSearch:
    def __init__(self, curve, n_steps):
        self.curve = curve
        self.n_steps = n_steps
        self.train, self.held = curve.split()
        self.candidates = []
        self._tie = itertools.count()

    def chi2(self, model, mask):
        r = (self.curve.flux[mask] - model(self.curve.time[mask])) / self.curve.sigma
        return (r ** 2).mean(), r

    def register(self, score, model, residual):
        entry = (score, next(self._tie), model.period.item(), residual)  # <- culprit
        bisect.insort(self.candidates, entry)  # <- culprit

    def polish(self, period, epoch):
        model = TransitModel(period, epoch)
        opt = torch.optim.Adam(model.parameters(), lr=4e-3)
        for _ in range(self.n_steps):
            chi2, residual = self.chi2(model, self.train)
            opt.zero_grad()
            chi2.backward()
            opt.step()
            self.register(chi2.item(), model, residual)  # <- culprit
        with torch.no_grad():
            held, _ = self.chi2(model, self.held)
        return held.item()

    def run(self, trial_periods):
        held = {}
        for p in trial_periods:
            held[p] = self.polish(p, 1.0)
            print(f"trial P={p:.2f}  held-out chi2 {held[p]:.3f}")
        return held

    def best(self, k):
        return self.candidates[:k]


if __name__ == "__main__":
    torch.manual_seed(0)
    search = CandidateSearch(LightCurve(31), n_steps=40)
    search.run([2.9, 3.28, 3.6, 4.1])
    for score, _, period, residual in search.best(3):
        print(f"chi2 {score:.4f}  period {period:.4f}  rms {residual.std().item():.3f}")
