# gradwatch-corpus: kind=graph-chain
# holder: self.state | reservoir.state | self.reservoir.state | model.reservoir.state
# first-bad: 1
# notice: 5
"""Echo-state forecaster for road traffic counts: fixed recurrent core, trained input map and readout."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)


class Reservoir(nn.Module):
    def __init__(self, n_in, size=24, radius=0.7, leak=0.4):
        super().__init__()
        w = torch.randn(size, size) * (torch.rand(size, size) < 0.25)
        top = torch.linalg.eigvals(w).abs().max()
        self.register_buffer("core", w * radius / top)
        self.inp = nn.Linear(n_in, size)
        self.leak = leak
        self.size = size
        self.state = None

    def wash(self):
        self.state = torch.zeros(1, self.size)

    def forward(self, u):
        drive = torch.tanh(self.inp(u) + self.state @ self.core)
        self.state = (1 - self.leak) * self.state + self.leak * drive  # <- culprit
        return self.state


class Forecaster(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.reservoir = Reservoir(n_in)
        self.readout = nn.Linear(self.reservoir.size, 1)

    def forward(self, u):
        return self.readout(self.reservoir(u))


def counts(hours):
    for h in range(hours):
        rush = math.exp(-((h % 24 - 8) / 2.0) ** 2) + 0.8 * math.exp(-((h % 24 - 17) / 2.5) ** 2)
        weekend = 0.5 if (h // 24) % 7 >= 5 else 1.0
        yield weekend * rush + 0.05 * torch.randn(()).item(), (h % 24) / 24.0, weekend


def pairs(hours):
    prev = None
    for value, hour, weekend in counts(hours):
        if prev is not None:
            yield torch.tensor([prev]), torch.tensor([[value]])
        prev = [value, math.sin(2 * math.pi * hour), math.cos(2 * math.pi * hour), weekend]


def online(model, hours):
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    huber = nn.SmoothL1Loss()
    model.reservoir.wash()
    seen = []
    for k, (u, target) in enumerate(pairs(hours)):
        forecast = model(u)
        loss = huber(forecast, target)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        seen.append(abs(forecast.item() - target.item()))
        if k and k % 48 == 0:
            print(f"day {k // 24:2d}  mean abs error {sum(seen[-48:]) / 48:.3f}")
    return seen


def main():
    torch.manual_seed(31)
    model = Forecaster(n_in=4)
    err = online(model, hours=260)
    print("last day", sum(err[-24:]) / 24)


if __name__ == "__main__":
    main()
