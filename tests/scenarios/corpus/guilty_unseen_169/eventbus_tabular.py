# gradwatch-corpus: kind=graph-held
# holder: self.journal | bus.journal | trainer.bus.journal | event.values
# first-bad: 31
# notice: 8
import time
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)

CONFIG = {
    "model": {"name": "mlp", "width": 48},
    "optim": {"name": "adamw", "lr": 2e-3},
    "epochs": 5,
    "batch": 64,
    "journal_from_epoch": 2,
}
MODELS = {}


def register(name):
    def wrap(cls):
        MODELS[name] = cls
        return cls
    return wrap


@register("mlp")
class TabularNet(nn.Module):
    def __init__(self, d_in, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d_in, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


@dataclass
class StepFinished:
    step: int
    epoch: int
    values: dict
    at: float = field(default_factory=time.time)


@dataclass
class EpochFinished:
    epoch: int
    mean_loss: float


class EventBus:
    """Delivers events; once journalling is on, they can be replayed to late subscribers."""

    def __init__(self):
        self.handlers = defaultdict(list)
        self.journal = []
        self.journalling = False

    def subscribe(self, kind, handler, replay=False):
        self.handlers[kind].append(handler)
        if replay:
            for event in self.journal:
                if isinstance(event, kind):
                    handler(event)

    def publish(self, event):
        if self.journalling:
            self.journal.append(event)  # <- culprit
        for handler in self.handlers[type(event)]:
            handler(event)


class Averager:
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def __call__(self, event):
        self.sum += event.values["loss"].item()
        self.n += 1

    def take(self):
        mean = self.sum / max(self.n, 1)
        self.sum, self.n = 0.0, 0
        return mean


class Trainer:
    def __init__(self, cfg, x, y):
        self.cfg = cfg
        spec = dict(cfg["model"])
        self.model = MODELS[spec.pop("name")](x.shape[1], **spec)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg["optim"]["lr"])
        self.x, self.y = x, y
        self.bus = EventBus()
        self.avg = Averager()
        self.bus.subscribe(StepFinished, self.avg)
        self.step = 0

    def batches(self):
        for idx in torch.randperm(len(self.x)).split(self.cfg["batch"]):
            yield self.x[idx], self.y[idx]

    def train_step(self, xb, yb, epoch):
        pred = self.model(xb)
        mse = nn.functional.mse_loss(pred, yb)
        l1 = sum(p.abs().sum() for p in self.model.out.parameters())
        loss = mse + 1e-4 * l1
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bus.publish(StepFinished(self.step, epoch, {"loss": loss, "mse": mse.detach()}))  # <- culprit
        self.step += 1

    def fit(self):
        for epoch in range(self.cfg["epochs"]):
            self.bus.journalling = epoch >= self.cfg["journal_from_epoch"]
            for xb, yb in self.batches():
                self.train_step(xb, yb, epoch)
            self.bus.publish(EpochFinished(epoch, self.avg.take()))


def main():
    x = torch.randn(960, 12)
    y = x[:, 0] * x[:, 1] + torch.sin(x[:, 2]) + 0.1 * torch.randn(960)
    trainer = Trainer(CONFIG, x, y)
    trainer.bus.subscribe(EpochFinished, lambda e: print(f"epoch {e.epoch} loss {e.mean_loss:.4f}"))
    trainer.fit()
    seen = []
    trainer.bus.subscribe(StepFinished, lambda e: seen.append(float(e.values["mse"])), replay=True)
    print("replayed", len(seen), "steps, last mse", round(seen[-1], 4))


if __name__ == "__main__":
    main()
