# gradwatch-corpus: kind=memory-climb
# holder: self._pred | self._true | pck._pred | pck._true | metric._pred | metric._true
# first-bad: 1
"""Keypoint heatmaps for the parcel robot, on a small engine in the manner of Ignite:
process function, events, handlers, metrics that attach themselves."""
import enum
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F


class Events(enum.Enum):
    STARTED = "started"
    ITERATION_COMPLETED = "iteration_completed"
    EPOCH_COMPLETED = "epoch_completed"
    COMPLETED = "completed"


class Engine:
    def __init__(self, process):
        self._process = process
        self._handlers = {e: [] for e in Events}
        self.state = SimpleNamespace(iteration=0, epoch=0, output=None, metrics={})

    def on(self, event, every=1):
        def register(fn):
            self._handlers[event].append((every, fn))
            return fn
        return register

    def _fire(self, event, count=1):
        for every, fn in self._handlers[event]:
            if count % every == 0:
                fn(self)

    def run(self, batches, epochs, epoch_length):
        self._fire(Events.STARTED)
        for self.state.epoch in range(1, epochs + 1):
            for _ in range(epoch_length):
                self.state.output = self._process(self, next(batches))
                self.state.iteration += 1
                self._fire(Events.ITERATION_COMPLETED, self.state.iteration)
            self._fire(Events.EPOCH_COMPLETED, self.state.epoch)
        self._fire(Events.COMPLETED)


class RunningLoss:
    def __init__(self, alpha=0.95):
        self.alpha, self.value = alpha, None

    def attach(self, engine, name):
        @engine.on(Events.ITERATION_COMPLETED)
        def _update(e):
            x = e.state.output["loss"]
            self.value = x if self.value is None else self.alpha * self.value + (1 - self.alpha) * x
            e.state.metrics[name] = self.value


class PCK:
    """Share of keypoints that lie within `radius` cells of the truth."""

    def __init__(self, radius=2.0):
        self.radius = radius
        self._pred, self._true = [], []

    @staticmethod
    def _peaks(heat):
        side = heat.shape[-1]
        idx = heat.flatten(2).argmax(-1)
        return torch.stack([idx // side, idx % side], -1).float()

    def update(self, engine):
        out = engine.state.output
        self._pred.append(out["heat"])  # <- culprit
        self._true.append(out["target"])  # <- culprit

    def compute(self, engine, last=20):
        pred, true = torch.cat(self._pred[-last:]), torch.cat(self._true[-last:])
        gap = (self._peaks(pred) - self._peaks(true)).norm(dim=-1)
        engine.state.metrics["pck"] = (gap <= self.radius).float().mean().item()

    def attach(self, engine):
        engine.on(Events.ITERATION_COMPLETED)(self.update)
        engine.on(Events.EPOCH_COMPLETED)(self.compute)


def keypoint_batches(seed, batch=8, joints=6, side=32):
    g = torch.Generator().manual_seed(seed)
    axis = torch.arange(side).float()
    while True:
        c = 4 + (side - 8) * torch.rand(batch, joints, 2, generator=g)
        gy = torch.exp(-(axis - c[..., :1]) ** 2 / 8)
        gx = torch.exp(-(axis - c[..., 1:]) ** 2 / 8)
        heat = gy[..., :, None] * gx[..., None, :]
        signs = torch.linspace(-1, 1, joints).view(1, joints, 1, 1)
        yield (heat * signs).sum(1, keepdim=True) + 0.1 * torch.randn(batch, 1, side, side, generator=g), heat


def create_trainer(model, optimizer):
    def process(engine, batch):
        image, target = batch
        model.train()
        optimizer.zero_grad()
        heat = model(image)
        loss = F.mse_loss(heat, target)
        loss.backward()
        optimizer.step()
        return {"loss": loss.item(), "heat": heat.detach(), "target": target}
    return Engine(process)


if __name__ == "__main__":
    torch.manual_seed(40)
    net = nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.Conv2d(6, 6, 3, padding=1), nn.ReLU(),
                        nn.Conv2d(6, 6, 3, padding=1))
    trainer = create_trainer(net, torch.optim.Adam(net.parameters(), lr=3e-3))
    RunningLoss().attach(trainer, "loss")
    PCK().attach(trainer)

    @trainer.on(Events.EPOCH_COMPLETED)
    def report(engine):
        print(f"epoch {engine.state.epoch}", {k: round(v, 4) for k, v in engine.state.metrics.items()})

    trainer.run(keypoint_batches(seed=2), epochs=4, epoch_length=60)
