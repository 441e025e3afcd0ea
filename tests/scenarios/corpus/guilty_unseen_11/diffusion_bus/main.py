# gradwatch-corpus: kind=graph-held
# holder: self._published | bus._published | self.bus._published | trainer.bus._published | event.loss | event
# first-bad: 1
"""Small DDPM on a two-dimensional spiral, driven through the lab's event bus.
I use it to try new callbacks before they go into the big image runs."""
import math

import torch

from bus import EventBus
from callbacks import EmaLoss, LrWarmup, Summary
from events import FitEnd, FitStart, StepBegin, StepEnd
from model import Denoiser, Schedule


def spiral(n: int, gen: torch.Generator) -> torch.Tensor:
    t = 3.0 * math.pi * torch.rand(n, generator=gen).sqrt()
    xy = torch.stack([t * t.cos(), t * t.sin()], dim=1) / 6.0
    return xy + 0.02 * torch.randn(n, 2, generator=gen)


class Trainer:
    def __init__(self, bus: EventBus, steps: int = 300, batch: int = 128):
        self.bus = bus
        self.steps = steps
        self.batch = batch
        self.gen = torch.Generator().manual_seed(11)
        self.schedule = Schedule(100)
        self.model = Denoiser(64)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=2e-3)

    def loss(self, x0: torch.Tensor) -> torch.Tensor:
        t = torch.randint(0, self.schedule.steps, (x0.size(0),), generator=self.gen)
        noise = torch.randn(x0.shape, generator=self.gen)
        xt = self.schedule.diffuse(x0, noise, t)
        return (self.model(xt, t) - noise).pow(2).mean()

    def fit(self) -> None:
        self.bus.publish(FitStart(self.opt))
        for step in range(self.steps):
            self.bus.publish(StepBegin(step, self.opt))
            loss = self.loss(spiral(self.batch, self.gen))
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            self.bus.publish(StepEnd(step, loss, self.opt.param_groups[0]["lr"]))  # <- culprit
        self.bus.publish(FitEnd(self.steps))


def main() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    bus = EventBus()
    LrWarmup(bus, peak=2e-3, warmup=30)
    meter = EmaLoss(bus, every=50)
    trainer = Trainer(bus)
    trainer.fit()
    summary = Summary(bus)
    print(f"ema {meter.value:.4f}  events seen by the summary: {summary.count}")


if __name__ == "__main__":
    main()
