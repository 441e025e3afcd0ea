# gradwatch-corpus: kind=inplace-modified
# holder: p | net.head.weight | trainer.model.head.weight | model.head.weight | self.head.weight | model.body.weight | self.model.head.weight | loss | pred
# first-bad: 24
# notice: 0
"""Learn to invert travel times for a layered velocity profile, with an averaged
copy of the weights used for validation."""
import argparse
import contextlib
from collections import defaultdict

import torch
from torch import nn


class InversionNet(nn.Module):
    def __init__(self, receivers, layers, width=48):
        super().__init__()
        self.stem = nn.Linear(receivers, width)
        self.body = nn.Linear(width, width)
        self.head = nn.Linear(width, layers)

    def forward(self, t):
        h = torch.nn.functional.silu(self.stem(t))
        h = h + torch.nn.functional.silu(self.body(h))
        return self.head(h)


class WeightAverage:
    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in model.named_parameters()}

    @torch.no_grad()
    def update(self, model):
        for n, p in model.named_parameters():
            self.shadow[n].lerp_(p, 1 - self.decay)

    @contextlib.contextmanager
    def applied(self, model):
        own = {n: p.detach().clone() for n, p in model.named_parameters()}
        self._load(model, self.shadow)
        try:
            yield model
        finally:
            self._load(model, own)

    @staticmethod
    @torch.no_grad()
    def _load(model, values):
        for n, p in model.named_parameters():
            p.copy_(values[n])  # <- culprit


def shots(n, gen, layers=6, receivers=10):
    """Slowness per layer -> first arrivals at increasing offsets, standardised."""
    v = 1.5 + torch.cumsum(0.6 * torch.rand(n, layers, generator=gen), dim=1)
    offset = torch.linspace(0.5, 5.0, receivers)
    depth = torch.arange(layers) * 0.4
    path = torch.sqrt(offset[None, :, None] ** 2 + 4 * depth[None, None, :] ** 2)
    arrivals = (path / v[:, None, :]).min(dim=-1).values
    arrivals = arrivals + 0.01 * torch.randn(arrivals.shape, generator=gen)
    return (arrivals - 1.2) / 0.6, (v - 3.2) / 1.0


class Trainer:
    def __init__(self, model, opt, average):
        self.model, self.opt, self.average = model, opt, average
        self.callbacks = defaultdict(list)

    def on(self, event, fn):
        self.callbacks[event].append(fn)

    def emit(self, event, **info):
        for fn in self.callbacks[event]:
            fn(self, **info)

    def train(self, steps, batch, gen):
        for step in range(steps):
            t, v = shots(batch, gen)
            pred = self.model(t)
            loss = (pred - v).pow(2).mean()
            self.emit("loss", step=step, loss=loss.item())  # <- culprit
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.emit("stepped", step=step)


def validator(every, gen):
    t, v = shots(256, gen)

    def run(trainer, step, loss):
        if (step + 1) % every:
            return
        with trainer.average.applied(trainer.model) as m, torch.no_grad():
            rmse = (m(t) - v).pow(2).mean().sqrt().item()
        print(f"step {step + 1}: train {loss:.4f}  averaged rmse {rmse:.4f}")

    return run


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=150)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--every", type=int, default=25)
    opts = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(77)
    g = torch.Generator().manual_seed(13)
    net = InversionNet(receivers=10, layers=6)
    trainer = Trainer(net, torch.optim.Adam(net.parameters(), lr=3e-3), WeightAverage(net))
    trainer.on("loss", validator(opts.every, g))
    trainer.on("stepped", lambda tr, step: tr.average.update(tr.model))
    trainer.train(opts.steps, opts.batch, g)
