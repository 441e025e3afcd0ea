# gradwatch-corpus: kind=second-backward
# holder: self.carried | runner.carried
# first-bad: 5
"""River level forecast. Five gauging stations, one LSTM, each station has its own carried state."""
import json
from dataclasses import dataclass, field

import torch
import torch.nn as nn


@dataclass
class RunArgs:
    stations: list = field(default_factory=lambda: ["ford", "weir", "mill", "bridge", "mouth"])
    window: int = 8
    hidden: int = 16
    steps: int = 100
    lr: float = 5e-3
    replicas: int = 6


class LevelNet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(2, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x, state):
        y, state = self.lstm(x, state)
        return self.head(y), state


class StationRunner:
    def __init__(self, args):
        self.args = args
        self.net = LevelNet(args.hidden)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=args.lr)
        self.carried = {}
        self.series = {s: self.make_series(i) for i, s in enumerate(args.stations)}
        self.cursor = {s: 0 for s in args.stations}
        self.log = []

    def make_series(self, i):
        n = self.args.window * (self.args.steps // len(self.args.stations) + 1) + 1
        rain = (torch.rand(self.args.replicas, n) < 0.15).float() * torch.rand(self.args.replicas, n)
        level = torch.zeros(self.args.replicas, n)
        for t in range(1, n):
            level[:, t] = (0.85 + 0.02 * i) * level[:, t - 1] + rain[:, t - 1]
        return torch.stack([rain, level], dim=2)

    def fetch(self, name):
        a = self.cursor[name]
        b = a + self.args.window
        self.cursor[name] = b
        s = self.series[name]
        return s[:, a:b], s[:, a + 1:b + 1, 1:]

    def start_state(self):
        z = torch.zeros(1, self.args.replicas, self.args.hidden)
        return z, z.clone()

    def step(self, k):
        name = self.args.stations[k % len(self.args.stations)]
        x, y = self.fetch(name)
        state = self.carried.get(name)
        if state is None:
            state = self.start_state()
        pred, (h, c) = self.net(x, state)
        loss = (pred - y).abs().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.carried[name] = (h.detach(), c)  # <- culprit
        self.log.append({"step": k, "station": name, "mae": loss.item()})

    def run(self):
        for k in range(self.args.steps):
            self.step(k)


def summary(log, stations):
    for s in stations:
        v = [r["mae"] for r in log if r["station"] == s]
        print(json.dumps({"station": s, "first": round(v[0], 4), "last": round(v[-1], 4)}))


if __name__ == "__main__":
    torch.manual_seed(30)
    args = RunArgs()
    runner = StationRunner(args)
    runner.run()
    summary(runner.log, args.stations)
