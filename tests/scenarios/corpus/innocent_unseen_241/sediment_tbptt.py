# gradwatch-corpus: kind=none
"""Recurrent model of suspended sediment at a weir, trained by truncated BPTT with a window of 12 hours."""
from collections import deque

import torch
from torch import nn


class WeirSeries:
    """Endless hourly stream of (rain, discharge, turbidity) for several weirs."""

    def __init__(self, n_weirs, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.n = n_weirs
        self.discharge = torch.zeros(n_weirs)
        self.bed = torch.ones(n_weirs)

    def hours(self):
        while True:
            rain = torch.rand(self.n, generator=self.rng).pow(6)
            self.discharge = 0.92 * self.discharge + rain
            scour = 0.1 * self.discharge * self.bed
            self.bed = self.bed - 0.3 * scour + 0.02
            turbidity = scour + 0.01 * torch.randn(self.n, generator=self.rng)
            yield torch.stack([rain, self.discharge], dim=1), turbidity


class BedMemory(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.storm = nn.GRUCell(2, width)
        self.season = nn.GRUCell(width, width)
        self.load = nn.Linear(width, 1)

    def start(self, n):
        w = self.storm.hidden_size
        return torch.zeros(n, w), torch.zeros(n, w)

    def forward(self, forcing, state):
        storm, season = state
        storm = self.storm(forcing, storm)
        season = self.season(storm, season)
        return self.load(season).squeeze(-1), (storm, season)


class WindowedTrainer:
    def __init__(self, model, n_weirs, window=12):
        self.model = model
        self.window = window
        self.opt = torch.optim.Adam(model.parameters(), lr=4e-3)
        self.state = model.start(n_weirs)
        self.pending = []
        self.trail = deque(maxlen=60)

    def hour(self, forcing, turbidity):
        estimate, self.state = self.model(forcing, self.state)
        self.pending.append((estimate - turbidity).pow(2).mean())
        if len(self.pending) == self.window:
            return self.close_window()
        return None

    def close_window(self):
        loss = torch.stack(self.pending).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.pending.clear()
        self.state = tuple(s.detach() for s in self.state)
        self.trail.append(loss.detach())
        return loss.item()


def main():
    torch.manual_seed(6)
    weirs = 16
    trainer = WindowedTrainer(BedMemory(), weirs)
    stream = WeirSeries(weirs, seed=6).hours()
    windows = 0
    while windows < 100:
        loss = trainer.hour(*next(stream))
        if loss is None:
            continue
        if windows % 20 == 0:
            print(f"window {windows:3d} mse {loss:.6f}")
        windows += 1
    print("recent mean", torch.stack(list(trainer.trail)).mean().item())


if __name__ == "__main__":
    main()
