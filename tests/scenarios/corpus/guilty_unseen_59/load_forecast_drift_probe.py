# gradwatch-corpus: kind=graph-held
# holder: self.state | probe.state
# first-bad: 1
# notice: 8
"""Electric-load forecasting with a live drift probe.

Training uses shuffled windows.  Beside it a probe follows a held-out feeder in
real time: at every training step it feeds the next hour to the current model,
keeps the recurrent state, and reports the forecast's bias.
"""
import argparse
import math

import torch
import torch.nn.functional as F
from torch import nn


class LoadModel(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.cell = nn.GRU(features, width, batch_first=True)
        self.out = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, x, state=None):
        h, state = self.cell(x, state)
        return self.out(h).squeeze(-1), state


def feeder(length, phase, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length, dtype=torch.float32)
    load = torch.sin(2 * math.pi * t / 24 + phase) + 0.4 * torch.sin(2 * math.pi * t / 168)
    load = load + 0.1 * torch.randn(length, generator=g)
    temp = 0.5 * torch.cos(2 * math.pi * t / 24 + phase) + 0.1 * torch.randn(length, generator=g)
    return torch.stack([load, temp], -1)


class Event:
    STEP_END = "step_end"
    FIT_END = "fit_end"


class Bus:
    def __init__(self):
        self.handlers = {}

    def on(self, event, fn):
        self.handlers.setdefault(event, []).append(fn)

    def fire(self, event, *args):
        for fn in self.handlers.get(event, []):
            fn(*args)


class DriftProbe:
    """Streams one feeder through the model, `stride` hours per training step."""

    def __init__(self, series, stride):
        self.series, self.stride = series, stride
        self.position = 0
        self.state = None
        self.bias = 0.0

    def attach(self, bus):
        bus.on(Event.STEP_END, self.advance)
        bus.on(Event.FIT_END, self.summary)

    def advance(self, step, model):
        lo, hi = self.position, self.position + self.stride
        hours = self.series[lo:hi + 1]
        forecast, self.state = model(hours[None, :-1], self.state)  # <- culprit
        gap = (forecast[0] - hours[1:, 0]).mean().item()
        self.bias = 0.95 * self.bias + 0.05 * gap
        self.position = hi

    def summary(self, model):
        print(f"drift probe: followed {self.position} h, smoothed bias {self.bias:+.4f}")


class ProgressLine:
    def __init__(self, probe, every=25):
        self.probe, self.every = probe, every

    def attach(self, bus):
        bus.on(Event.STEP_END, self.show)

    def show(self, step, model):
        if step % self.every == 0:
            print(f"step {step} bias {self.probe.bias:+.4f}")


def fit(model, train, bus, steps, batch, window, lr):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for step in range(steps):
        rows = torch.randint(len(train), (batch,)).tolist()
        starts = torch.randint(train[0].shape[0] - window - 1, (batch,)).tolist()
        chunk = torch.stack([train[r][s:s + window + 1] for r, s in zip(rows, starts)])
        forecast, _ = model(chunk[:, :-1])
        loss = F.smooth_l1_loss(forecast, chunk[:, 1:, 0])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        bus.fire(Event.STEP_END, step, model)
    bus.fire(Event.FIT_END, model)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=130)
    ap.add_argument("--stride", type=int, default=6)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(17)
    train = [feeder(500, 0.3 * i, i) for i in range(6)]
    bus = Bus()
    probe = DriftProbe(feeder(args.steps * args.stride + 2, 1.1, 99), args.stride)
    probe.attach(bus)
    ProgressLine(probe).attach(bus)
    fit(LoadModel(2, 24), train, bus, args.steps, 12, 36, 3e-3)


if __name__ == "__main__":
    main()
