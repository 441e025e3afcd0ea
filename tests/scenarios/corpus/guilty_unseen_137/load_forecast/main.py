# gradwatch-corpus: kind=graph-held
# holder: self.kept | snap.kept | trainer.callbacks[1].kept | self.callbacks[1].kept | cb.kept
# first-bad: 1
# notice: 8
"""Short-term electricity load, doubly residual stacks."""
import math

import torch

torch.set_num_threads(1)
import torch.nn as nn

from callbacks import Callback, ForecastSnapshot

torch.manual_seed(2024)
LOOKBACK, HORIZON = 24, 6


class Stack(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(LOOKBACK, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.back = nn.Linear(width, LOOKBACK)
        self.fore = nn.Linear(width, HORIZON)

    def forward(self, x):
        h = self.fc(x)
        return x - self.back(h), self.fore(h)


class LoadNet(nn.Module):
    def __init__(self, n=2, width=20):
        super().__init__()
        self.stacks = nn.ModuleList(Stack(width) for _ in range(n))

    def forward(self, x):
        out = 0
        for s in self.stacks:
            x, f = s(x)
            out = out + f
        return out


class PrintLoss(Callback):
    def on_batch_end(self, step, logs):
        if step % 100 == 0:
            print(step, round(float(logs["loss"]), 4))


class Trainer:
    def __init__(self, model, callbacks):
        self.model, self.callbacks = model, callbacks
        self.opt = torch.optim.Adam(model.parameters(), 2e-3)

    def fire(self, name, *a):
        for cb in self.callbacks:
            getattr(cb, name)(*a)

    def train(self, series, steps):
        for step in range(steps):
            start = torch.randint(0, len(series) - LOOKBACK - HORIZON, (16,))
            win = torch.stack([series[s:s + LOOKBACK + HORIZON] for s in start.tolist()])
            x, y = win[:, :LOOKBACK], win[:, LOOKBACK:]
            yhat = self.model(x)
            loss = (yhat - y).abs().mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.fire("on_batch_end", step, {"loss": loss.detach(), "pred": yhat, "target": y})
        self.fire("on_train_end")


if __name__ == "__main__":
    t = torch.arange(2000.0)
    load = torch.sin(2 * math.pi * t / 24) + 0.4 * torch.sin(2 * math.pi * t / 168) + 0.1 * torch.randn(2000)
    snap = ForecastSnapshot()
    trainer = Trainer(LoadNet(), [PrintLoss(), snap])
    trainer.train(load, 420)
