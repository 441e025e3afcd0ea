# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class EpochSummary:
    epoch: int
    mean: float
    worst: float
    spread: float
    lr: float


def make_buildings(n=1280, seed=8):
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 8, generator=g)
    heat = 3 * x[:, 0] * x[:, 1] - 2 * (x[:, 2] - 0.5).abs() + x[:, 5]
    cool = x[:, 3] ** 2 + x[:, 4] * x[:, 6]
    y = torch.stack([heat, cool], 1) + 0.05 * torch.randn(n, 2, generator=g)
    return TensorDataset(x, y)


class LoadForecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(8, 32)
        self.mid = nn.Linear(32, 32)
        self.out = nn.Linear(32, 2)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        h = h + torch.relu(self.mid(h))
        return self.out(h)


class Trainer:
    def __init__(self, model, loader, epochs):
        self.model = model
        self.loader = loader
        self.epochs = epochs
        self.opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, epochs)
        self.summaries = []

    def training_step(self, batch):
        x, y = batch
        loss = nn.functional.mse_loss(self.model(x), y)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return {"loss": loss}

    def training_epoch_end(self, epoch, outputs):
        losses = torch.stack([o["loss"] for o in outputs])
        summary = EpochSummary(
            epoch,
            losses.mean().item(),
            losses.max().item(),
            losses.std().item(),
            self.sched.get_last_lr()[0],
        )
        self.summaries.append(summary)
        return summary

    def fit(self):
        for epoch in range(self.epochs):
            outputs = []
            for batch in self.loader:
                outputs.append(self.training_step(batch))
            s = self.training_epoch_end(epoch, outputs)
            self.sched.step()
            if epoch % 4 == 0:
                print(f"epoch {s.epoch} mean {s.mean:.4f} worst {s.worst:.4f} +- {s.spread:.4f} lr {s.lr:.4f}")


def main():
    torch.manual_seed(8)
    loader = DataLoader(make_buildings(), batch_size=32, shuffle=True)
    trainer = Trainer(LoadForecaster(), loader, epochs=12)
    trainer.fit()
    print("best epoch", min(trainer.summaries, key=lambda s: s.mean).epoch)


if __name__ == "__main__":
    main()
