# gradwatch-corpus: kind=graph-held
# holder: self.record.curves["train"] | logger.record.curves["train"] | self.record.curves | logger.record.curves
# first-bad: 1
# notice: 8
"""Donor/acceptor splice site classification from one-hot windows (course project)."""
import argparse
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BASES = "ACGT"


@dataclass
class RunRecord:
    name: str
    best: float = float("inf")
    curves: dict = field(default_factory=lambda: {"train": [], "lr": []})


class Callback:
    def on_batch_end(self, trainer, batch_idx, outputs):
        pass

    def on_epoch_end(self, trainer, epoch):
        pass


class CurveLogger(Callback):
    def __init__(self, name):
        self.record = RunRecord(name)

    def on_batch_end(self, trainer, batch_idx, outputs):
        self.record.curves["train"].append(outputs["loss"])  # <- culprit
        self.record.curves["lr"].append(trainer.opt.param_groups[0]["lr"])

    def on_epoch_end(self, trainer, epoch):
        tail = self.record.curves["train"][-10:]
        mean = (sum(tail) / len(tail)).item()
        self.record.best = min(self.record.best, mean)
        print(f"epoch {epoch}: loss {mean:.4f} (best {self.record.best:.4f})")


class SpliceCNN(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(4, width, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
            nn.Conv1d(width, width, 5, padding=2), nn.ReLU(), nn.AdaptiveMaxPool1d(1))
        self.fc = nn.Linear(width, 3)

    def forward(self, x):
        return self.fc(self.conv(x).squeeze(-1))


class Trainer:
    def __init__(self, model, lr, callbacks):
        self.model, self.callbacks = model, callbacks
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.crit = nn.CrossEntropyLoss()

    def training_step(self, batch):
        x, y = batch
        logits = self.model(x)
        loss = self.crit(logits, y)
        return {"loss": loss, "acc": (logits.argmax(1) == y).float().mean()}  # <- culprit

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for i, batch in enumerate(loader):
                self.opt.zero_grad(set_to_none=True)
                out = self.training_step(batch)
                out["loss"].backward()
                self.opt.step()
                for cb in self.callbacks:
                    cb.on_batch_end(self, i, out)
            for cb in self.callbacks:
                cb.on_epoch_end(self, epoch)


def make_windows(n, length, rng):
    seqs = rng.integers(0, 4, size=(n, length))
    labels = rng.integers(0, 3, size=n)
    mid = length // 2
    seqs[labels == 1, mid:mid + 2] = [BASES.index("G"), BASES.index("T")]
    seqs[labels == 2, mid - 2:mid] = [BASES.index("A"), BASES.index("G")]
    onehot = np.eye(4, dtype=np.float32)[seqs].transpose(0, 2, 1)
    return torch.from_numpy(onehot.copy()), torch.from_numpy(labels)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(3)
    x, y = make_windows(400, 40, np.random.default_rng(3))
    logger = CurveLogger("splice")
    Trainer(SpliceCNN(), args.lr, [logger]).fit(DataLoader(TensorDataset(x, y), 16, shuffle=True), args.epochs)


if __name__ == "__main__":
    main()
