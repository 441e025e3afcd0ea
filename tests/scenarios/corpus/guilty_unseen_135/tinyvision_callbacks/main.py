# gradwatch-corpus: kind=graph-held
# holder: self.history["loss"] | logger.history["loss"] | trainer.callbacks[0].history["loss"] | self.history[key]
# first-bad: 1
# notice: 8
"""Train a small convnet on synthetic 3x12x12 patches (texture classification)."""
import torch

torch.set_num_threads(1)

from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from callbacks import LRMonitor, MetricLogger
from engine import Trainer, TrainConfig


def make_patches(n=192, classes=4):
    g = torch.Generator().manual_seed(3)
    y = torch.randint(0, classes, (n,), generator=g)
    base = torch.randn(classes, 3, 12, 12, generator=g)
    return TensorDataset(base[y] + 0.7 * torch.randn(n, 3, 12, 12, generator=g), y)


def build_net(width, classes=4):
    return nn.Sequential(
        nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(width, width * 2, 3, padding=1), nn.BatchNorm2d(width * 2), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width * 2, classes),
    )


def main():
    torch.manual_seed(11)
    cfg = TrainConfig(epochs=28, lr=0.05, width=6)
    loader = DataLoader(make_patches(), batch_size=24, shuffle=True)
    logger = MetricLogger(every=7)
    trainer = Trainer(build_net(cfg.width), cfg, callbacks=[logger, LRMonitor()])
    trainer.fit(loader)
    print("done", trainer.global_step)


if __name__ == "__main__":
    main()
