# gradwatch-corpus: kind=graph-held
# holder: self.failures | runner.failures | self.failures[-1] | exc | exc.__traceback__ | self.failures[-1].exc | runner.failures[-1].exc
# first-bad: 4
# notice: 25
"""Day-ahead load forecast for feeders, quantile regression. Callbacks must never be able to stop a night's run,
so whatever they raise is kept for the summary in the morning."""
import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from torch import nn

QUANTILES = (0.1, 0.5, 0.9)
HIST, HORIZON = 48, 24


@dataclass
class StepInfo:
    step: int
    forecast: torch.Tensor
    target: torch.Tensor
    loss: torch.Tensor
    extra: dict[str, Any] = field(default_factory=dict)


class Failure(NamedTuple):
    step: int
    callback: str
    exc: Exception


class Callback:
    def on_step_end(self, info: StepInfo) -> None:
        pass

    def on_fit_end(self) -> None:
        pass


class CallbackRunner:
    def __init__(self, callbacks):
        self.callbacks = list(callbacks)
        self.failures = []

    def fire(self, event, *args):
        for cb in self.callbacks:
            try:
                getattr(cb, event)(*args)
            except Exception as exc:
                step = args[0].step if args else -1
                self.failures.append(Failure(step, type(cb).__name__, exc))  # <- culprit


class Console(Callback):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, info):
        if info.step % self.every == 0:
            print(f"step {info.step:4d}  pinball {info.loss.item():.4f}")


class Coverage(Callback):
    """Share of the hours that lie within the 10..90 % band; feeders that were switched off do not count."""

    def __init__(self):
        self.inside, self.hours = 0, 0

    def on_step_end(self, info):
        live = info.target.abs().sum(dim=1) > 0
        if not live.all():
            raise ValueError(f"{int((~live).sum())} feeders without load")
        low, high = info.forecast[..., 0], info.forecast[..., -1]
        hit = (info.target >= low) & (info.target <= high)
        self.inside += int(hit.sum())
        self.hours += hit.numel()

    def on_fit_end(self):
        print(f"coverage {self.inside / self.hours:.3f} of {self.hours} hours")


def feeders(n_batches, batch_size, generator):
    t = torch.arange(HIST + HORIZON).float()
    for b in range(n_batches):
        phase = torch.rand(batch_size, 1, generator=generator) * 2 * math.pi
        level = 0.5 + torch.rand(batch_size, 1, generator=generator)
        series = level * (1.2 + torch.sin(2 * math.pi * t / 24 + phase))
        series = series + 0.1 * torch.randn(series.shape, generator=generator)
        if b % 5 == 3:  # maintenance window
            series[0] = 0.0
        yield series[:, :HIST], series[:, HIST:]


class Forecaster(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(HIST, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, HORIZON * len(QUANTILES)),
        )
        self.register_buffer("q", torch.tensor(QUANTILES))

    def forward(self, hist):
        raw = self.net(hist).view(-1, HORIZON, len(QUANTILES))
        mid = raw[..., 1:2]
        spread = nn.functional.softplus(raw)
        return torch.cat([mid - spread[..., :1], mid, mid + spread[..., 2:]], dim=-1)

    def pinball(self, forecast, target):
        err = target.unsqueeze(-1) - forecast
        return torch.maximum(self.q * err, (self.q - 1) * err).mean()


def fit(model, steps, callbacks, lr=3e-3, seed=7):
    runner = CallbackRunner(callbacks)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    g = torch.Generator().manual_seed(seed)
    for step, (hist, target) in enumerate(feeders(steps, 32, g)):
        forecast = model(hist)
        loss = model.pinball(forecast, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        runner.fire("on_step_end", StepInfo(step, forecast, target, loss))
    runner.fire("on_fit_end")
    return runner


if __name__ == "__main__":
    torch.manual_seed(1)
    runner = fit(Forecaster(), steps=300, callbacks=[Console(every=60), Coverage()])
    print(f"{len(runner.failures)} callback failures")
    for failure in runner.failures[:3]:
        print("  ", failure.step, failure.callback, failure.exc)
