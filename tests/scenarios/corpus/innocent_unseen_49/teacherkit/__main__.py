# gradwatch-corpus: kind=none
import torch
from torch import nn

from .ema import EmaMixin
from .keep import BestKeeper, EarlyStop
from .loop import DistillTrainer


class SmoothDistill(EmaMixin, DistillTrainer):
    pass


def sampler(dim=12, classes=4):
    mu = 1.2 * torch.randn(classes, dim)

    def draw(n):
        y = torch.randint(classes, (n,))
        return mu[y] + torch.randn(n, dim), y
    return draw


if __name__ == "__main__":
    torch.manual_seed(71)
    draw = sampler()
    net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 4))
    keeper, stop = BestKeeper(3), EarlyStop(patience=60)
    trainer = SmoothDistill(net, hooks=[keeper.offer, stop.check])
    trainer.fit(draw, draw(200), steps=100)
    print("kept steps", sorted(k.step for k in keeper.kept), "best", round(stop.best.item(), 4))
