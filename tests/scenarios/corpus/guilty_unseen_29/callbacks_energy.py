# gradwatch-corpus: kind=graph-held
# holder: self.history["mae"] | recorder.history["mae"] | self.history | recorder.history
# first-bad: 1
"""Day-ahead electricity load, a small MLP, and a Keras-like callback system."""
from collections import defaultdict

import numpy as np
import torch
from torch import nn


class Callback:
    def on_train_begin(self, trainer): ...
    def on_batch_end(self, trainer, logs): ...
    def on_epoch_end(self, trainer, epoch): ...


class History(Callback):
    def on_train_begin(self, trainer):
        self.history = defaultdict(list)

    def on_batch_end(self, trainer, logs):
        for key, value in logs.items():
            self.history[key].append(value)  # <- culprit


class EpochPrinter(Callback):
    def __init__(self, recorder):
        self.recorder = recorder

    def on_epoch_end(self, trainer, epoch):
        tail = self.recorder.history
        n = trainer.batches_per_epoch
        mse = np.mean(tail["mse"][-n:])
        mae = np.mean([float(v) for v in tail["mae"][-n:]])
        print(f"[{epoch:02d}] mse={mse:.4f} mae={mae:.4f} lr={trainer.scheduler.get_last_lr()[0]:.2e}")


class LoadTrainer:
    def __init__(self, model, callbacks, lr=2e-3, batches_per_epoch=25):
        self.model = model
        self.callbacks = callbacks
        self.batches_per_epoch = batches_per_epoch
        self.optimizer = torch.optim.NAdam(model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=3, gamma=0.7)

    def _fire(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def train_batch(self, x, y):
        self.optimizer.zero_grad()
        residual = self.model(x).squeeze(-1) - y
        mse = residual.square().mean()
        mse.backward()
        self.optimizer.step()
        mae = residual.abs().mean()
        return {"mse": mse.item(), "mae": mae}  # <- culprit

    def fit(self, source, epochs):
        self._fire("on_train_begin")
        for epoch in range(epochs):
            for _ in range(self.batches_per_epoch):
                logs = self.train_batch(*source())
                self._fire("on_batch_end", logs)
            self.scheduler.step()
            self._fire("on_epoch_end", epoch)


def load_curve(batch=48, rng=np.random.default_rng(4)):
    hour = rng.integers(0, 24, batch)
    temp = rng.normal(12, 8, batch)
    weekend = rng.random(batch) < 2 / 7
    load = 40 + 12 * np.sin((hour - 7) / 24 * 2 * np.pi) + 0.3 * np.abs(temp - 18) - 6 * weekend
    load += rng.normal(0, 1, batch)
    x = np.stack([np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi), temp / 10, weekend], 1)
    return torch.tensor(x, dtype=torch.float32), torch.tensor((load - 40) / 10, dtype=torch.float32)


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))
    recorder = History()
    LoadTrainer(net, [recorder, EpochPrinter(recorder)]).fit(load_curve, epochs=8)
