import torch
from torch import nn

from sessions import SessionTable


class WavePredictor(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.gru = nn.GRU(2, width, batch_first=True)
        self.out = nn.Linear(width, 2)

    def forward(self, x, h):
        y, h = self.gru(x, h)
        return self.out(y), h


class HealthMonitor:
    def __init__(self, plant, width=12):
        self.plant = plant
        self.net = WavePredictor(width)
        self.sessions = SessionTable(width)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.score = {u: 0.0 for u in plant.units}

    def _predict(self, unit, x):
        y, h = self.net(x, self.sessions.resume(unit))
        self.sessions.suspend(unit, h)
        return y

    def _visit(self, unit):
        x, nxt = self.plant.chunk(unit)
        anomaly = (self._predict(unit, x) - nxt).abs().mean()
        self.opt.zero_grad()
        anomaly.backward()
        self.opt.step()
        self.score[unit] = 0.9 * self.score[unit] + 0.1 * anomaly.item()

    def run(self, rounds):
        for _ in range(rounds):
            for unit in self.plant.units:
                self._visit(unit)
