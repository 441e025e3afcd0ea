# gradwatch-corpus: kind=graph-chain
# holder: self.value | smoother.value | loss_ema.value
# first-bad: 1
# DLinear-style forecaster on an electricity-like series.
import numpy as np
import torch
import torch.nn as nn


class EMA:
    def __init__(self, beta=0.9):
        self.beta = beta
        self.value = None

    def update(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.beta * self.value + (1 - self.beta) * x  # <- culprit
        return self.value  # <- culprit


class SeriesDecomp(nn.Module):
    def __init__(self, kernel=13):
        super().__init__()
        self.kernel = kernel
        self.avg = nn.AvgPool1d(kernel, stride=1)

    def forward(self, x):
        pad = (self.kernel - 1) // 2
        xp = nn.functional.pad(x.unsqueeze(1), (pad, pad), mode="replicate")
        trend = self.avg(xp).squeeze(1)
        return x - trend, trend


class DLinear(nn.Module):
    def __init__(self, lookback, horizon):
        super().__init__()
        self.decomp = SeriesDecomp()
        self.seasonal = nn.Linear(lookback, horizon)
        self.trend = nn.Linear(lookback, horizon)

    def forward(self, x):
        s, t = self.decomp(x)
        return self.seasonal(s) + self.trend(t)


def load_series(n=2500):
    rng = np.random.RandomState(0)
    t = np.arange(n)
    y = np.sin(2 * np.pi * t / 24) + 0.5 * np.sin(2 * np.pi * t / 168)
    y += 0.0005 * t + 0.15 * rng.randn(n)
    return torch.tensor((y - y.mean()) / y.std(), dtype=torch.float32)


def batches(series, lookback, horizon, batch_size, rng):
    starts = rng.permutation(len(series) - lookback - horizon)
    for i in range(0, len(starts) - batch_size, batch_size):
        idx = starts[i:i + batch_size]
        x = torch.stack([series[j:j + lookback] for j in idx])
        y = torch.stack([series[j + lookback:j + lookback + horizon] for j in idx])
        yield x, y


def train(lookback=96, horizon=24, batch_size=32, epochs=2):
    series = load_series()
    split = int(len(series) * 0.8)
    model = DLinear(lookback, horizon)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.MSELoss()
    loss_ema = EMA(0.9)
    rng = np.random.RandomState(1)

    it = 0
    for epoch in range(epochs):
        for x, y in batches(series[:split], lookback, horizon, batch_size, rng):
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            smoothed = loss_ema.update(loss)
            # noisy batches made training unstable, so train on the smoothed loss
            smoothed.backward(retain_graph=True)  # <- culprit
            optimizer.step()
            it += 1
            if it % 20 == 0:
                print("iter %d  loss %.4f  smoothed %.4f" % (it, loss.item(), smoothed.item()))
        with torch.no_grad():
            xs, ys = next(batches(series[split:], lookback, horizon, 128, rng))
            print("epoch %d  val mse %.4f" % (epoch, criterion(model(xs), ys).item()))


if __name__ == "__main__":
    torch.manual_seed(0)
    train()
