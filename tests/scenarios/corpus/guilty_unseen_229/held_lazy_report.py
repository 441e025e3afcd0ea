# gradwatch-corpus: kind=graph-held
# holder: journal | self.journal | run.journal
# first-bad: 1
"""Panel VAR with learned shrinkage; the per-round log lines are only formatted when somebody asks for them."""
from dataclasses import dataclass, field
from typing import Callable, List

import torch


@dataclass
class PanelRun:
    countries: int = 10
    series: int = 6
    lags: int = 3
    rounds: int = 120
    journal: List[Callable[[], str]] = field(default_factory=list)

    def __post_init__(self):
        k = self.series
        self.common = torch.zeros(self.lags, k, k, requires_grad=True)
        self.local = torch.zeros(self.countries, self.lags, k, k, requires_grad=True)
        self.log_tau = torch.zeros(self.lags, requires_grad=True)
        self.opt = torch.optim.Adam([self.common, self.local, self.log_tau], lr=0.02)

    def note(self, make_line):
        self.journal.append(make_line)  # <- culprit

    def predict(self, country, window):
        coef = self.common + self.local[country]
        out = 0.0
        for lag in range(self.lags):
            shifted = window[:, self.lags - 1 - lag:window.shape[1] - 1 - lag]
            out = out + torch.einsum("bts,bsk->btk", shifted, coef[:, lag].transpose(1, 2))
        return out

    def objective(self, country, window):
        resid = window[:, self.lags:] - self.predict(country, window)
        fit = resid.pow(2).mean()
        tau = self.log_tau.exp()
        dev = self.local.pow(2).mean(dim=(0, 2, 3))
        shrink = (dev / tau + 0.1 * tau).sum()
        return fit, shrink

    def round(self, n, country, window):
        fit, shrink = self.objective(country, window)
        loss = fit + 0.01 * shrink
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.note(lambda: f"round {n}: fit {fit.item():.4f} shrink {shrink.item():.4f}")  # <- culprit


def generate(run, length=200):
    k = run.series
    base = 0.5 * torch.eye(k)
    y = torch.zeros(run.countries, length, k)
    own = base + 0.08 * torch.randn(run.countries, k, k)
    for t in range(1, length):
        drive = torch.einsum("cij,cj->ci", own, y[:, t - 1])
        y[:, t] = drive + 0.5 * torch.randn(run.countries, k)
    return y


def main():
    torch.manual_seed(1929)
    run = PanelRun()
    data = generate(run)
    for n in range(run.rounds):
        country = torch.randint(0, run.countries, (6,))
        start = int(torch.randint(0, 150, (1,)))
        run.round(n, country, data[country, start:start + 50])
    for line in run.journal[::30]:
        print(line())


if __name__ == "__main__":
    main()
