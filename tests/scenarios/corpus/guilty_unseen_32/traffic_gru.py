# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Traffic forecasting with a stateful GRU over windows of many roads at once."""
from contextlib import contextmanager

import torch
import torch.nn as nn


class Engine:
    """Thin layer over backward/step so that mixed precision can be switched on later."""

    def __init__(self, optimizer, max_norm=None, scale=1.0):
        self.optimizer = optimizer
        self.max_norm = max_norm
        self.scale = scale

    @contextmanager
    def accumulate(self):
        self.optimizer.zero_grad()
        yield self
        self._finish()

    def backward(self, loss):
        (loss * self.scale).backward(retain_graph=True)  # <- culprit

    def _finish(self):
        params = [p for g in self.optimizer.param_groups for p in g["params"]]
        for p in params:
            if p.grad is not None:
                p.grad.div_(self.scale)
        if self.max_norm:
            nn.utils.clip_grad_norm_(params, self.max_norm)
        self.optimizer.step()


class Forecaster(nn.Module):
    def __init__(self, features=3, hidden=32):
        super().__init__()
        self.gru = nn.GRU(features, hidden, batch_first=True)
        self.flow = nn.Linear(hidden, 1)
        self.speed = nn.Linear(hidden, 1)

    def forward(self, x, state=None):
        out, state = self.gru(x, state)
        return self.flow(out).squeeze(-1), self.speed(out).squeeze(-1), state


def simulate(roads=24, hours=24 * 16):
    t = torch.arange(hours).float()
    phase = torch.rand(roads, 1) * 6
    daily = torch.sin(2 * torch.pi * t / 24 + phase)
    weekly = 0.4 * torch.sin(2 * torch.pi * t / 168 + phase)
    flow = daily + weekly + 0.1 * torch.randn(roads, hours)
    speed = -0.7 * flow + 0.1 * torch.randn(roads, hours)
    clock = (t % 24 / 24).expand(roads, hours)
    return torch.stack([flow, speed, clock], dim=2)


def windows(series, width):
    for start in range(0, series.size(1) - width, width):
        x = series[:, start:start + width]
        y = series[:, start + 1:start + width + 1]
        yield x, y[..., 0], y[..., 1]


class Trainer:
    def __init__(self, model, lr=6e-3, width=24):
        self.model = model
        self.width = width
        self.engine = Engine(torch.optim.Adam(model.parameters(), lr=lr), max_norm=1.0, scale=8.0)
        self.mae = nn.L1Loss()
        self.mse = nn.MSELoss()

    def epoch(self, series):
        state, running, count = None, 0.0, 0
        for x, flow, speed in windows(series, self.width):
            if state is not None:
                state = state.detach()
            with self.engine.accumulate() as engine:
                flow_hat, speed_hat, state = self.model(x, state)
                loss = self.mse(flow_hat, flow) + 0.5 * self.mae(speed_hat, speed)
                engine.backward(loss)
            running += loss.item()
            count += 1
        return running / count


def main():
    torch.manual_seed(14)
    series = simulate()
    trainer = Trainer(Forecaster())
    for e in range(8):
        print(f"epoch {e + 1}: {trainer.epoch(series):.4f}")


if __name__ == "__main__":
    main()
