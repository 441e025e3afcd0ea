# gradwatch-corpus: kind=none
"""Wind-turbine power forecasting with a stateful LSTM over long telemetry streams."""
from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Iterator

import torch
from torch import Tensor, nn
import torch.nn.functional as F


@dataclass(frozen=True)
class StreamState:
    h: Tensor
    c: Tensor
    level: Tensor

    def cut(self) -> "StreamState":
        return replace(self, **{f.name: getattr(self, f.name).detach() for f in fields(self)})

    def masked(self, restart: Tensor) -> "StreamState":
        keep = (~restart).float()[:, None]
        return StreamState(self.h * keep, self.c * keep, self.level * keep)


class PowerModel(nn.Module):
    def __init__(self, channels: int, hidden: int) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(channels, hidden)
        self.level_rate = nn.Parameter(torch.tensor(-2.0))
        self.out = nn.Linear(hidden + 1, 1)
        self.hidden = hidden

    def blank(self, n: int) -> StreamState:
        return StreamState(torch.zeros(n, self.hidden), torch.zeros(n, self.hidden), torch.zeros(n, 1))

    def forward(self, x: Tensor, state: StreamState) -> tuple[Tensor, StreamState]:
        preds = []
        h, c, level = state.h, state.c, state.level
        rate = torch.sigmoid(self.level_rate)
        for t in range(x.shape[1]):
            h, c = self.cell(x[:, t], (h, c))
            level = (1 - rate) * level + rate * x[:, t, :1]
            preds.append(self.out(torch.cat([h, level], -1)))
        return torch.cat(preds, 1), StreamState(h, c, level)


def telemetry(windows: int, turbines: int, length: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    wind = torch.rand(turbines, 1) * 2
    for _ in range(windows):
        rows, power = [], []
        for _ in range(length):
            wind = (0.95 * wind + 0.2 * torch.randn_like(wind)).clamp(0, 3)
            rows.append(torch.cat([wind, wind**2, torch.randn(turbines, 2)], -1))
            power.append(torch.tanh(wind**3 / 4))
        restart = torch.rand(turbines) < 0.05
        yield torch.stack(rows, 1), torch.cat(power, 1), restart


def main() -> None:
    torch.manual_seed(6)
    model = PowerModel(4, 24)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.99)
    state = model.blank(12)
    for step, (x, y, restart) in enumerate(telemetry(110, 12, 10)):
        pred, state = model(x, state.masked(restart))
        loss = F.mse_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        state = state.cut()
        if step % 25 == 0:
            print(f"window {step} mse {loss.item():.4f} rate {torch.sigmoid(model.level_rate).item():.3f}")


if __name__ == "__main__":
    main()
