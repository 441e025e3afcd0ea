# gradwatch-corpus: kind=none
"""River-stage forecaster. The first iterations are kept as the reference by
which the noise level and the clip threshold are set."""
import math
import statistics

import torch
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, lags, width=36):
        super().__init__()
        self.inp = nn.Linear(lags, width)
        self.gate = nn.Linear(lags, width)
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        z = torch.tanh(self.inp(x)) * torch.sigmoid(self.gate(x))
        mean, log_std = self.out(z).unbind(-1)
        return mean, log_std.clamp(-4, 2)


class Reference:
    def __init__(self, size):
        self.size = size
        self.losses = []
        self.norms = []
        self.outputs = {}

    def watch(self, it, loss, outputs):
        if len(self.losses) < self.size:
            self.losses.append(loss)
            self.outputs[it] = outputs

    def watch_norm(self, norm):
        if len(self.norms) < self.size:
            self.norms.append(float(norm))

    @property
    def clip(self):
        if len(self.norms) < self.size:
            return math.inf
        return 1.5 * statistics.median(self.norms)

    def relative(self, loss):
        base = torch.stack(self.losses).mean().detach()
        return (loss / base).item()


def gauge(n, seed):
    g = torch.Generator().manual_seed(seed)
    rain = torch.rand(n, generator=g).pow(6) * 5
    stage, level = [], 1.0
    for r in rain.tolist():
        level = 0.95 * level + 0.2 * r
        stage.append(level)
    return torch.tensor(stage) + 0.02 * torch.randn(n, generator=g)


def nll(mean, log_std, y):
    return (0.5 * ((y - mean) / log_std.exp()).pow(2) + log_std).mean() + 3.0


def main():
    torch.manual_seed(44)
    series = gauge(3000, 9)
    series = (series - series.mean()) / series.std()
    windows = series.unfold(0, 13, 1)
    model = Forecaster(lags=12)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    reference = Reference(size=25)
    for it in range(800):
        rows = windows[torch.randint(0, len(windows), (64,))]
        outputs = model(rows[:, :12])
        loss = nll(*outputs, rows[:, 12])
        reference.watch(it, loss, outputs)
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), reference.clip)
        reference.watch_norm(norm)
        opt.step()
        if it % 100 == 99:
            print(f"{it + 1} relative {reference.relative(loss):.3f} clip {reference.clip:.2f}")


if __name__ == "__main__":
    main()
