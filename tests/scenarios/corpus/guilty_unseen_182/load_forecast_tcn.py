# gradwatch-corpus: kind=graph-held
# holder: self.pending | board.pending
# first-bad: 1
"""Short-term electricity load forecasting with a dilated causal convolution net."""
import csv
import functools
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F


class MetricBoard:
    """Queues metric writes so the training loop never waits for the disk."""

    def __init__(self, path):
        self.path = path
        self.pending = []

    def _write(self, writer, tag, value, step):
        writer.writerow([step, tag, f"{torch.as_tensor(value).item():.6f}"])

    def scalar(self, tag, value, step):
        self.pending.append(functools.partial(self._write, tag=tag, value=value, step=step))  # <- culprit

    def flush(self):
        with open(self.path, "a", newline="") as fh:
            writer = csv.writer(fh)
            for job in self.pending:
                job(writer)
        n, self.pending = len(self.pending), []
        return n


class CausalBlock(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(ch, ch, 3, dilation=dilation)
        self.norm = nn.GroupNorm(1, ch)

    def forward(self, x):
        return x + F.gelu(self.norm(self.conv(F.pad(x, (self.pad, 0)))))


class TCN(nn.Module):
    def __init__(self, ch=12, horizon=6):
        super().__init__()
        self.inp = nn.Conv1d(1, ch, 1)
        self.blocks = nn.Sequential(*[CausalBlock(ch, d) for d in (1, 2, 4)])
        self.out = nn.Linear(ch, horizon)

    def forward(self, x):
        return self.out(self.blocks(self.inp(x))[..., -1])


def load_series(n=3000):
    t = torch.arange(n).float()
    daily = torch.sin(2 * torch.pi * t / 24)
    weekly = 0.5 * torch.cos(2 * torch.pi * t / 168)
    return daily + weekly + 0.1 * torch.randn(n)


def quantile_loss(pred, y, q=0.6):
    e = y - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


def main():
    torch.manual_seed(14)
    series = load_series()
    windows = series.unfold(0, 54, 1)
    model = TCN()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    with tempfile.TemporaryDirectory() as tmp:
        board = MetricBoard(os.path.join(tmp, "metrics.csv"))
        for step in range(480):
            w = windows[torch.randint(0, len(windows), (24,))]
            pred = model(w[:, None, :48])
            loss = quantile_loss(pred, w[:, 48:])
            opt.zero_grad()
            loss.backward()
            opt.step()
            board.scalar("train/pinball", loss, step)  # <- culprit
            board.scalar("train/lr", opt.param_groups[0]["lr"], step)
            if step % 80 == 0:
                print(f"step {step} pinball {loss.item():.4f}")
        print("rows written:", board.flush())


if __name__ == "__main__":
    main()
