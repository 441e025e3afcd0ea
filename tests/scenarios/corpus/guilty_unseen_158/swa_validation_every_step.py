# gradwatch-corpus: kind=graph-unused
"""Segment quality regression with weight averaging; the averaged model is followed closely."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn

torch.set_num_threads(1)
torch.manual_seed(12)


class QualityNet(nn.Module):
    def __init__(self, inputs=15, width=36):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(inputs, width), nn.Linear(width, width), nn.Linear(width, width)])
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        for layer in self.layers:
            x = F.leaky_relu(layer(x), 0.1)
        return self.head(x).squeeze(-1)


class Segments:
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, 15, generator=g)
        self.y = self.x[:, :3].prod(dim=1).tanh() + 0.2 * self.x[:, 4]

    def batches(self, size):
        for rows in torch.randperm(len(self.x)).split(size):
            yield self.x[rows], self.y[rows]


def validate(model, data, size=40):  # <- culprit
    model.eval()
    total = 0.0
    for x, y in data.batches(size):
        total += F.mse_loss(model(x), y, reduction="sum").item()  # <- culprit
    return total / len(data.x)


class AveragingRun:
    def __init__(self):
        self.net = QualityNet()
        self.averaged = AveragedModel(self.net, multi_avg_fn=get_ema_multi_avg_fn(0.9))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.schedule = SWALR(self.opt, swa_lr=0.01, anneal_epochs=40)
        self.train = Segments(640, seed=1)
        self.held_out = Segments(160, seed=2)
        self.best = float("inf")

    def epoch(self):
        for x, y in self.train.batches(64):
            loss = F.mse_loss(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.schedule.step()
            self.averaged.update_parameters(self.net)
            self.best = min(self.best, validate(self.averaged, self.held_out))  # <- culprit


def main():
    run = AveragingRun()
    for epoch in range(8):
        run.epoch()
        print(f"epoch {epoch} best held-out mse {run.best:.4f} lr {run.schedule.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    main()
