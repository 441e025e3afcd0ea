# gradwatch-corpus: kind=graph-held
# holder: pending
# first-bad: 1
"""Day-ahead load forecast, quantile regression. The log rows are formatted at the end since
the network drive is slow and string formatting showed up in the profile."""
import csv
import io
from functools import partial

import torch
import torch.nn.functional as F

QUANTILES = (0.1, 0.5, 0.9)
HISTORY = 96
HORIZON = 24


def synth_load(days, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(days * 24, dtype=torch.float32)
    daily = torch.sin(2 * torch.pi * t / 24)
    weekly = 0.4 * torch.cos(2 * torch.pi * t / 168)
    noise = torch.randn(t.numel(), generator=g) * 0.15
    return daily + weekly + noise


def batch_of(load, size):
    starts = torch.randint(0, load.numel() - HISTORY - HORIZON, (size,))
    idx = starts[:, None] + torch.arange(HISTORY + HORIZON)
    window = load[idx]
    return window[:, :HISTORY], window[:, HISTORY:]


def pinball(pred, target):
    parts = {}
    for k, q in enumerate(QUANTILES):
        diff = target - pred[..., k]
        parts[q] = torch.maximum(q * diff, (q - 1) * diff).mean()
    return parts


def build():
    return torch.nn.ModuleDict({
        "conv": torch.nn.Conv1d(1, 16, 9, stride=3),
        "mix": torch.nn.Linear(16 * 30, 64),
        "out": torch.nn.Linear(64, HORIZON * len(QUANTILES)),
    })


def predict(net, past):
    z = F.gelu(net["conv"](past[:, None]))
    z = F.gelu(net["mix"](z.flatten(1)))
    return net["out"](z).view(-1, HORIZON, len(QUANTILES))


def write_row(step, parts, total, writer):
    row = [step]
    row.extend(f"{float(v):.4f}" for v in parts.values())
    row.append(f"{float(total):.4f}")
    writer.writerow(row)


torch.manual_seed(0)
load = synth_load(days=200, seed=5)
net = build()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
pending = []

for step in range(160):
    past, future = batch_of(load, 64)
    parts = pinball(predict(net, past), future)
    total = sum(parts.values())
    opt.zero_grad(set_to_none=True)
    total.backward()
    opt.step()
    pending.append(partial(write_row, step, parts, total))  # <- culprit

sink = io.StringIO()
writer = csv.writer(sink)
writer.writerow(["step"] + [f"q{int(100 * q)}" for q in QUANTILES] + ["total"])
for job in pending:
    job(writer)
lines = sink.getvalue().splitlines()
print(lines[0])
print(lines[1])
print(lines[-1])
