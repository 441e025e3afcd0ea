# gradwatch-corpus: kind=none
"""Online estimation of a time-varying reproduction number.

The renewal equation looks back over a serial interval of ten days; losses of a
week are collected and optimised together.
"""
from collections import deque

import torch
import torch.nn.functional as F

SERIAL = torch.tensor([0.05, 0.15, 0.2, 0.18, 0.14, 0.1, 0.07, 0.05, 0.04, 0.02])
DAYS = 7 * 90


def true_rt(day):
    return 1.0 + 0.25 * torch.sin(torch.tensor(2 * torch.pi * day / 120.0)).item()


def reported_cases(seed):
    g = torch.Generator().manual_seed(seed)
    past = deque([50.0] * 10, maxlen=10)
    cases = []
    for day in range(DAYS):
        window = torch.tensor(list(past)).flip(0)
        expected = true_rt(day) * float((SERIAL * window).sum()) + 2.0
        draw = torch.poisson(torch.tensor(min(expected, 2000.0)), generator=g).item()
        past.append(draw)
        cases.append(draw)
    return cases


class RenewalNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRUCell(2, 8)
        self.log_rt = torch.nn.Linear(8, 1)
        self.imports = torch.nn.Parameter(torch.tensor(0.5))

    def forward(self, features, hidden):
        hidden = self.cell(features, hidden)
        return self.log_rt(hidden).squeeze(), hidden


class WeeklyFit:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=5e-3)
        self.hidden = torch.zeros(1, 8)
        self.modelled = deque([torch.tensor(50.0)] * 10, maxlen=10)
        self.pending = []
        self.weekly = []
        self.previous = None

    def features(self, yesterday):
        level = torch.log1p(torch.tensor(yesterday))
        trend = level - torch.log1p(torch.tensor(self.previous or yesterday))
        self.previous = yesterday
        return torch.stack([0.2 * level, trend])[None]

    def day(self, yesterday, today):
        log_rt, self.hidden = self.model(self.features(yesterday), self.hidden)
        pressure = (SERIAL.flip(0) * torch.stack(list(self.modelled))).sum()
        mean = log_rt.clamp(-1.0, 1.0).exp() * pressure + F.softplus(self.model.imports)
        self.modelled.append(0.5 * mean + 0.5 * today)
        self.pending.append(F.poisson_nll_loss(mean, torch.tensor(today), log_input=False) / 50.0)
        return log_rt

    def end_of_week(self):
        loss = torch.stack(self.pending).mean()
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.weekly.append(loss.item())
        self.pending = []
        self.hidden = self.hidden.detach()
        self.modelled = deque((m.detach() for m in self.modelled), maxlen=10)


if __name__ == "__main__":
    torch.manual_seed(1)
    cases = reported_cases(14)
    fit = WeeklyFit(RenewalNet())
    errors = []
    for day in range(1, DAYS):
        log_rt = fit.day(cases[day - 1], cases[day])
        errors.append(abs(log_rt.exp().item() - true_rt(day)))
        if day % 7 == 0:
            fit.end_of_week()
    print("weeks", len(fit.weekly))
    print("Rt error", round(sum(errors[:70]) / 70, 3), "->", round(sum(errors[-70:]) / 70, 3))
