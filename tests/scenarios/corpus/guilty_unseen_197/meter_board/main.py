# gradwatch-corpus: kind=graph-held
# holder: self.total | m.total | self.meters[name].total | board.meters["loss"].total
# first-bad: 1
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

from callbacks import Console, LrWarmup, Metering
from meters import MeterBoard


@dataclass
class Config:
    steps: int = 420
    batch: int = 24
    classes: int = 5
    lr: float = 2e-3
    seed: int = 11


class TinyConvNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Conv2d(1, 6, 3, stride=2, padding=1)
        self.body = nn.Conv2d(6, 12, 3, stride=2, padding=1)
        self.head = nn.Linear(12, classes)

    def forward(self, x):
        x = F.relu(self.stem(x))
        x = F.relu(self.body(x))
        return self.head(x.mean((2, 3)))


class Trainer:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer, self.callbacks = model, optimizer, callbacks
        self.step = 0

    def fire(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(self, *args)

    def train_batch(self, batch):
        x, y = batch
        self.optimizer.zero_grad(set_to_none=True)
        logits = self.model(x)
        loss = F.cross_entropy(logits, y)
        loss.backward()
        self.optimizer.step()
        return {"loss": loss, "logits": logits.detach()}

    def fit(self, loader, steps):
        self.fire("on_fit_start")
        while self.step < steps:
            batch = loader(self.step)
            outputs = self.train_batch(batch)
            self.fire("on_batch_end", batch, outputs)
            self.step += 1
        self.fire("on_fit_end")


def make_loader(cfg):
    gen = torch.Generator().manual_seed(cfg.seed)
    prototypes = torch.randn(cfg.classes, 1, 12, 12, generator=gen)

    def load(step):
        y = torch.randint(cfg.classes, (cfg.batch,), generator=gen)
        x = prototypes[y] + 0.7 * torch.randn(cfg.batch, 1, 12, 12, generator=gen)
        return x, y

    return load


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    model = TinyConvNet(cfg.classes)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    board = MeterBoard()
    trainer = Trainer(model, optimizer, [LrWarmup(50), Metering(board), Console(board)])
    trainer.fit(make_loader(cfg), cfg.steps)
    print("done", board.line())


if __name__ == "__main__":
    main()
