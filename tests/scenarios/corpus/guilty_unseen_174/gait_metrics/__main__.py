# gradwatch-corpus: kind=graph-held
# holder: self.total | tracker.metrics["nll"].total | self.metrics["nll"].total | m.total
# first-bad: 1
"""Train a 1-D conv classifier on synthetic accelerometer windows and report whole-run metrics."""
import argparse

import torch

from .engine import Engine, GaitNet
from .metrics import MetricTracker


def windows(steps, batch=32, length=48, seed=0):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length) / length
    for _ in range(steps):
        y = torch.randint(5, (batch,), generator=g)
        wave = torch.sin(6.28 * (y[:, None] + 1) * t)[:, None, :].repeat(1, 6, 1)
        yield wave + 0.4 * torch.randn(wave.shape, generator=g), y


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500)
    args = parser.parse_args()
    torch.manual_seed(0)
    engine = Engine(GaitNet())
    tracker = MetricTracker(["accuracy", "nll"])

    @engine.attach
    def collect(i, out):
        tracker.update(out)
        if (i + 1) % 100 == 0:
            print(f"{i + 1:5d}  {tracker.report()}")

    engine.run(windows(args.steps))


if __name__ == "__main__":
    main()
