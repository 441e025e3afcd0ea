# gradwatch-corpus: kind=none
"""Robust training on telemetry with sensor glitches.

Batches that look broken are refused by raising; the refusals of a shift are kept
so that the operator's report can say what was odd about them.
"""
import random

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(73)
random.seed(73)

SHIFT = 40


class BatchRefused(Exception):
    def __init__(self, reason, loss, output):
        super().__init__(reason)
        self.reason = reason
        self.loss = loss
        self.output = output


class ShiftReport:
    def __init__(self):
        self.refusals = []
        self.shift = 0

    def add(self, exc):
        self.refusals.append(exc)

    def close(self, taken):
        self.shift += 1
        kinds = {}
        for e in self.refusals:
            kinds.setdefault(e.reason, []).append(e.loss.item())
        text = ", ".join(f"{k} x{len(v)} (worst {max(v):.1f})" for k, v in sorted(kinds.items()))
        print(f"shift {self.shift:2d}: trained {taken}, refused {len(self.refusals)}: {text or '-'}")
        self.refusals = []


def telemetry(truth, n=24):
    x = torch.randn(n, truth.numel())
    y = x @ truth + 0.1 * torch.randn(n)
    dice = random.random()
    if dice < 0.10:
        y = y + 40 * torch.bernoulli(torch.full((n,), 0.3))
    elif dice < 0.18:
        x = x * 12
    return x, y


def checked_loss(model, x, y):
    out = model(x).squeeze(-1)
    loss = nn.functional.smooth_l1_loss(out, y)
    if out.detach().abs().max() > 25:
        raise BatchRefused("output range", loss, out)
    if loss.item() > 6:
        raise BatchRefused("loss spike", loss, out)
    return loss


def main():
    truth = torch.randn(8)
    model = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 1))
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    report = ShiftReport()
    taken = 0
    for step in range(520):
        x, y = telemetry(truth)
        try:
            loss = checked_loss(model, x, y)
        except BatchRefused as exc:
            report.add(exc)
        else:
            opt.zero_grad()
            loss.backward()
            opt.step()
            taken += 1
        if (step + 1) % SHIFT == 0:
            report.close(taken)
            taken = 0


if __name__ == "__main__":
    main()
