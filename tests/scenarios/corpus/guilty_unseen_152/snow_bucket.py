# gradwatch-corpus: kind=graph-chain
# holder: self.state | runner.state | self.state.swe | self.state.soil
# first-bad: 1
"""Degree-day snow and soil bucket, calibrated window by window along one long record."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class BasinState:
    swe: torch.Tensor
    soil: torch.Tensor

    @classmethod
    def dry(cls, cells):
        return cls(torch.zeros(cells), torch.full((cells,), 20.0))


class SnowBucket(nn.Module):
    """All parameters are kept unconstrained and squashed to their physical range."""

    def __init__(self):
        super().__init__()
        self.melt_raw = nn.Parameter(torch.tensor(0.5))
        self.leak_raw = nn.Parameter(torch.tensor(-2.5))
        self.rain_raw = nn.Parameter(torch.tensor(0.0))

    def step(self, state, precip, temp):
        melt_rate = self.melt_raw.exp()
        leak = self.leak_raw.sigmoid()
        catch = self.rain_raw.exp()
        snowing = temp < 0.0
        snow = torch.where(snowing, precip, torch.zeros_like(precip))
        melt = torch.minimum(state.swe + snow, melt_rate * temp.clamp_min(0.0))
        swe = state.swe + snow - melt
        soil = state.soil + catch * (precip - snow) + melt
        runoff = leak * soil
        return BasinState(swe, soil - runoff), runoff


class Record:
    """Synthetic daily forcing with a seasonal temperature."""

    def __init__(self, cells, window, seed=13):
        self.cells, self.window = cells, window
        self.gen = torch.Generator().manual_seed(seed)
        self.day = 0

    def next_window(self):
        days = torch.arange(self.day, self.day + self.window).float()
        self.day += self.window
        season = 9 * torch.sin(2 * torch.pi * days / 365.0) + 2
        temp = season[:, None] + 2 * torch.randn(self.window, self.cells, generator=self.gen)
        precip = 6 * torch.rand(self.window, self.cells, generator=self.gen).pow(3)
        return precip, temp


class WindowRunner:
    def __init__(self, cells=8, window=6):
        self.model = SnowBucket()
        self.record = Record(cells, window)
        self.truth = SnowBucket()
        with torch.no_grad():
            self.truth.melt_raw.fill_(1.1)
            self.truth.leak_raw.fill_(-1.8)
        self.truth_state = BasinState.dry(cells)
        self.state = BasinState.dry(cells)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.02)

    @torch.no_grad()
    def observe(self, precip, temp):
        flows = []
        for p, t in zip(precip, temp):
            self.truth_state, q = self.truth.step(self.truth_state, p, t)
            flows.append(q)
        return torch.stack(flows)

    def simulate(self, precip, temp):
        state, flows = self.state, []
        for p, t in zip(precip, temp):
            state, q = self.model.step(state, p, t)
            flows.append(q)
        self.state = state  # <- culprit
        return torch.stack(flows)

    def calibrate_window(self):
        precip, temp = self.record.next_window()
        loss = (self.simulate(precip, temp) - self.observe(precip, temp)).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        self.optimizer.step()
        return loss.item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(13)
    runner = WindowRunner()
    for k in range(60):
        value = runner.calibrate_window()
        if k % 15 == 14:
            print(f"window {k + 1:2d}  mse {value:.4f}  melt {runner.model.melt_raw.exp().item():.3f}")
