# gradwatch-corpus: kind=none
"""Online k-step-ahead forecasting: a prediction waits in line until its truth arrives."""
import math
from collections import deque

import torch
import torch.nn as nn

torch.manual_seed(19)
torch.set_num_threads(1)


class Stream:
    def __init__(self, noise=0.05):
        self.t, self.noise = 0, noise

    def __iter__(self):
        return self

    def __next__(self):
        v = math.sin(self.t / 7) + 0.5 * math.sin(self.t / 3.1) + self.noise * torch.randn(()).item()
        self.t += 1
        return v


class ARForecaster(nn.Module):
    def __init__(self, lags):
        super().__init__()
        self.lags = lags
        self.lin = nn.Linear(lags, 1)

    def forward(self, window):
        return self.lin(window).squeeze(-1)


class OnlineTrainer:
    def __init__(self, lags=12, horizon=5, lr=0.004):
        self.model = ARForecaster(lags)
        self.opt = torch.optim.SGD(self.model.parameters(), lr)
        self.window = deque(maxlen=lags)
        self.pending = deque(maxlen=horizon)
        self.mse, self.updates = 1.0, 0

    def feed(self, value):
        if len(self.pending) == self.pending.maxlen:
            pred = self.pending.popleft()
            loss = (pred - value) ** 2
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.mse = 0.98 * self.mse + 0.02 * loss.item()
            self.updates += 1
        self.window.append(value)
        if len(self.window) == self.window.maxlen:
            x = torch.tensor(list(self.window))
            self.pending.append(self.model(x))


def main():
    trainer = OnlineTrainer()
    for i, v in zip(range(600), Stream()):
        trainer.feed(v)
        if i % 100 == 99:
            print(f"t={i} updates={trainer.updates} running mse={trainer.mse:.4f}")


if __name__ == "__main__":
    main()
