# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""Precipitation nowcasting head with stochastic weight averaging; the averaged weights are scored
beside the live ones every twenty steps."""
import contextlib
from collections import defaultdict
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class SWAConfig:
    start: int = 40
    every: int = 20
    collect: int = 5


class EventBus:
    def __init__(self):
        self._handlers = defaultdict(list)

    def on(self, event, handler, priority=50):
        self._handlers[event].append((priority, handler))
        self._handlers[event].sort(key=lambda h: h[0])

    def emit(self, event, *args):
        for _, handler in self._handlers[event]:
            handler(*args)


class AverageManager:
    def __init__(self, model, cfg: SWAConfig):
        self.model, self.cfg = model, cfg
        self.mean = {n: torch.zeros_like(p) for n, p in model.named_parameters()}
        self.count = 0

    @torch.no_grad()
    def collect(self, step):
        if step % self.cfg.collect:
            return
        self.count += 1
        for n, p in self.model.named_parameters():
            self.mean[n] += (p - self.mean[n]) / self.count

    @contextlib.contextmanager
    def applied(self):
        """The averaged weights in the model, the live ones back afterwards."""
        live = {n: p.detach().clone() for n, p in self.model.named_parameters()}
        self._load(self.mean)  # <- culprit
        try:
            yield self.model
        finally:
            self._load(live)  # <- culprit

    @torch.no_grad()
    def _load(self, values):
        for n, p in self.model.named_parameters():
            p.copy_(values[n])  # <- culprit


class SWAComparison:
    """Scores both sets of weights on the batch at hand."""

    def __init__(self, manager, cfg: SWAConfig):
        self.manager, self.cfg = manager, cfg
        self.rows = []

    def __call__(self, step, batch, loss):
        if step < self.cfg.start or step % self.cfg.every:
            return
        x, y = batch
        with self.manager.applied() as model, torch.no_grad():  # <- culprit
            averaged = F.poisson_nll_loss(model(x), y).item()
        self.rows.append((step, loss.item(), averaged))
        print(f"step {step}: live {loss.item():.4f}  averaged {averaged:.4f}")


class Radar:
    def __init__(self, seed=15):
        self.gen = torch.Generator().manual_seed(seed)

    def __next__(self):
        frames = torch.rand(24, 3, 12, 12, generator=self.gen)
        rain = torch.poisson(4 * frames[:, -1].mean((1, 2)), generator=self.gen)
        return frames, rain.unsqueeze(1)

    def __iter__(self):
        return self


class Nowcaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2), nn.ReLU(), nn.Flatten(),
                                 nn.Linear(200, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x)


def main(steps=220):
    torch.manual_seed(3)
    cfg, bus, model = SWAConfig(), EventBus(), Nowcaster()
    manager = AverageManager(model, cfg)
    comparison = SWAComparison(manager, cfg)
    bus.on("loss", comparison)  # <- culprit
    bus.on("stepped", manager.collect, priority=10)
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for step, batch in zip(range(steps), Radar()):
        loss = F.poisson_nll_loss(model(batch[0]), batch[1])
        bus.emit("loss", step, batch, loss)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        bus.emit("stepped", step)
    print(f"{manager.count} snapshots in the average")


if __name__ == "__main__":
    main()
