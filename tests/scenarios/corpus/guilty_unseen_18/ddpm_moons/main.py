# gradwatch-corpus: kind=graph-held
# holder: self.journal | bus.journal | engine.bus.journal | self.bus.journal | event | event.loss | self.journal[-1]
# first-bad: 1
"""Two-moons DDPM on top of a small event-driven engine; the plumbing is what I wanted to try out here."""
import torch

from engine import Engine, NoisePredictor, Schedule
from events import Bus, EpochEnd, StepEnd
from listeners import EmaWeights, LossMeter, Progress


def moons(n, gen):
    th = torch.rand(n, generator=gen) * torch.pi
    up = torch.rand(n, generator=gen) < 0.5
    x = torch.where(up, th.cos(), 1 - th.cos())
    y = torch.where(up, th.sin(), 0.5 - th.sin())
    return torch.stack([x - 0.5, y - 0.25], 1) + 0.06 * torch.randn(n, 2, generator=gen)


def main(epochs=4, steps_per_epoch=120):
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(22)
    bus = Bus()
    engine = Engine(NoisePredictor(), Schedule(50), bus)
    ema = EmaWeights(engine.net, 0.99)
    bus.subscribe(StepEnd, ema)
    bus.subscribe(EpochEnd, Progress())

    step = 0
    for epoch in range(epochs):
        if epoch == 1:                       # late on purpose: it catches up by the journal
            bus.subscribe(StepEnd, LossMeter(), catch_up=True)
        for _ in range(steps_per_epoch):
            engine.step(step, moons(128, gen))
            step += 1
        bus.publish(EpochEnd(epoch, step))
    with ema.swapped_in():
        pts = engine.sample(200)
    print("sampled spread", [round(v, 3) for v in pts.std(0).tolist()])


if __name__ == "__main__":
    main()
