# gradwatch-corpus: kind=none
# after: DARTS #56 / word_language_model: repackage_hidden, truncated back-propagation over long records
"""Forecast of blood glucose from continuous sensors: 2-layer GRU with carried state, cut every window."""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class Spec:
    patients: int = 24
    days: int = 3
    per_day: int = 288
    bptt: int = 24
    hidden: int = 32
    horizon: int = 6
    epochs: int = 5
    lr: float = 3e-3
    clip: float = 0.5


def repackage_hidden(h):
    """Wrap hidden states in new tensors, to cut them from their history."""
    if isinstance(h, Tensor):
        return h.detach()
    return type(h)(repackage_hidden(v) for v in h)


def sensor_records(spec: Spec) -> Tensor:
    """(time, patient, [glucose, meal, insulin])"""
    g = torch.Generator().manual_seed(0)
    n = spec.days * spec.per_day
    meal = (torch.rand(n, spec.patients, generator=g) < 4 / spec.per_day).float()
    dose = meal * (torch.rand(n, spec.patients, generator=g) < 0.8)
    level = torch.zeros(n, spec.patients)
    gut = torch.zeros(spec.patients)
    ins = torch.zeros(spec.patients)
    for t in range(1, n):
        gut = 0.95 * gut + meal[t]
        ins = 0.97 * ins + dose[t]
        level[t] = 0.98 * level[t - 1] + 0.12 * gut - 0.08 * ins + 0.02 * torch.randn(spec.patients, generator=g)
    return torch.stack([level, meal, dose], -1)


class Forecaster(nn.Module):
    def __init__(self, spec: Spec) -> None:
        super().__init__()
        self.cells = nn.ModuleList([nn.GRU(3, spec.hidden), nn.GRU(spec.hidden, spec.hidden)])
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(spec.hidden, 1)

    def init_state(self, n: int) -> list[Tensor]:
        return [torch.zeros(1, n, c.hidden_size) for c in self.cells]

    def forward(self, x: Tensor, state: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
        new_state = []
        for cell, h in zip(self.cells, state):
            x, h = cell(x, h)
            x = self.drop(x)
            new_state.append(h)
        return self.head(x).squeeze(-1), new_state


def run_epoch(model, records, spec, optimizer) -> float:
    state = model.init_state(spec.patients)
    last = len(records) - spec.horizon
    losses = []
    for start in range(0, last - spec.bptt + 1, spec.bptt):
        x = records[start:start + spec.bptt]
        y = records[start + spec.horizon:start + spec.horizon + spec.bptt, :, 0]
        state = repackage_hidden(state)
        pred, state = model(x, state)
        loss = nn.functional.smooth_l1_loss(pred, y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), spec.clip)
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def main() -> None:
    spec = Spec()
    torch.manual_seed(0)
    records = sensor_records(spec)
    model = Forecaster(spec)
    optimizer = torch.optim.Adam(model.parameters(), lr=spec.lr)
    curve = []
    for epoch in range(spec.epochs):
        curve.append(run_epoch(model, records, spec, optimizer))
        print(f"epoch {epoch}: {curve[-1]:.4f}")


if __name__ == "__main__":
    main()
