# gradwatch-corpus: kind=crashed
# first-bad: 90
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)


class Callback:
    def on_epoch_start(self, trainer): ...


class FreezeSchedule(Callback):
    """Freezes the blocks front to back, one group an epoch from `start` on."""

    def __init__(self, start, per_epoch=1):
        self.start, self.per_epoch = start, per_epoch

    def on_epoch_start(self, trainer):
        n = max(0, trainer.epoch - self.start + 1) * self.per_epoch
        for block in list(trainer.model.children())[:n]:
            block.requires_grad_(False)  # <- culprit


class LRDrop(Callback):
    def on_epoch_start(self, trainer):
        for grp in trainer.opt.param_groups:
            grp["lr"] *= 0.9


class Trainer:
    def __init__(self, model, callbacks, epochs):
        self.model, self.cbs, self.epochs = model, callbacks, epochs
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, X, Y, bs=8):
        for self.epoch in range(self.epochs):
            for cb in self.cbs:
                cb.on_epoch_start(self)
            for idx in torch.randperm(len(X)).split(bs):
                loss = nn.functional.multi_margin_loss(self.model(X[idx]), Y[idx])
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            print(self.epoch, round(loss.item(), 4), sum(p.requires_grad for p in self.model.parameters()))


torch.manual_seed(26)
soil = torch.randn(120, 7)
kind = (soil[:, 0] + soil[:, 3] > 0).long() + (soil[:, 1] > 1).long()
mlp = nn.Sequential(
    nn.Sequential(nn.Linear(7, 14), nn.ReLU()),
    nn.Sequential(nn.Linear(14, 14), nn.ReLU()),
    nn.Sequential(nn.Linear(14, 10), nn.ReLU()),
    nn.Linear(10, 3),
)
Trainer(mlp, [FreezeSchedule(start=3), LRDrop()], epochs=12).fit(soil, kind)
