# gradwatch-corpus: kind=graph-held
# holder: self.logs | history.logs | callbacks[0].logs
# first-bad: 1
"""Hourly load forecasting with dilated convolutions and a callback-driven loop."""
import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class LoadDataset(Dataset):
    def __init__(self, hours=2200, past=48, horizon=12):
        t = torch.arange(hours, dtype=torch.float32)
        g = torch.Generator().manual_seed(6)
        self.series = (torch.sin(2 * math.pi * t / 24) + 0.5 * torch.sin(2 * math.pi * t / 168)
                       + 0.1 * torch.randn(hours, generator=g))
        self.past, self.horizon = past, horizon

    def __len__(self):
        return len(self.series) - self.past - self.horizon

    def __getitem__(self, i):
        j = i + self.past
        return self.series[i:j], self.series[j:j + self.horizon]


class TCN(nn.Module):
    def __init__(self, channels=16, horizon=12, levels=4):
        super().__init__()
        layers, cin = [], 1
        for k in range(levels):
            layers += [nn.ConstantPad1d((2 * 2 ** k, 0), 0.0), nn.Conv1d(cin, channels, 3, dilation=2 ** k), nn.ReLU()]
            cin = channels
        self.net = nn.Sequential(*layers)
        self.head = nn.Linear(channels, horizon)

    def forward(self, x):
        return self.head(self.net(x.unsqueeze(1))[..., -1])


class Callback:
    def on_epoch_begin(self, epoch): ...
    def on_batch_end(self, batch, logs): ...
    def on_epoch_end(self, epoch): ...


class History(Callback):
    def __init__(self):
        self.logs = []

    def on_batch_end(self, batch, logs):
        self.logs.append({"batch": batch, **logs})  # <- culprit

    def column(self, key, last):
        return [float(entry[key]) for entry in self.logs[-last:]]


class Printer(Callback):
    def __init__(self, history):
        self.history = history

    def on_epoch_begin(self, epoch):
        self.seen = 0

    def on_batch_end(self, batch, logs):
        self.seen += 1

    def on_epoch_end(self, epoch):
        losses = self.history.column("loss", self.seen)
        maes = self.history.column("mae", self.seen)
        print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f} mae {sum(maes) / len(maes):.4f}")


def fit(model, loader, epochs, callbacks):
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(epochs):
        for cb in callbacks:
            cb.on_epoch_begin(epoch)
        for b, (x, y) in enumerate(loader):
            pred = model(x)
            loss = nn.functional.smooth_l1_loss(pred, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            logs = {"loss": loss, "mae": (pred - y).abs().mean()}  # <- culprit
            for cb in callbacks:
                cb.on_batch_end(b, logs)
        for cb in callbacks:
            cb.on_epoch_end(epoch)


if __name__ == "__main__":
    torch.manual_seed(6)
    history = History()
    loader = DataLoader(LoadDataset(), batch_size=64, shuffle=True, drop_last=True)
    fit(TCN(), loader, epochs=3, callbacks=[history, Printer(history)])
