# gradwatch-corpus: kind=inplace-modified
# holder: self.precision | self.stats.precision | engine.stats.precision | stats.precision
# first-bad: 40
# notice: 0
"""Deep Mahalanobis one-class model for vibration sensors."""
import torch

from engine import Engine
from hooks import GradClip, LossPrinter, RefreshStatistics
from model import SensorEncoder
from statistics_ import GaussianStats


def sensor_batches(batch, length, steps):
    t = torch.arange(length) / 8.0
    for _ in range(steps):
        f = 1 + 0.3 * torch.rand(batch, 3, 1)
        ph = 6.28 * torch.rand(batch, 3, 1)
        yield torch.sin(f * t + ph) + 0.1 * torch.randn(batch, 3, length)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    encoder = SensorEncoder(channels=3, dim=6)
    stats = GaussianStats(dim=6, momentum=0.1)
    engine = Engine(encoder, stats, lr=1e-3)
    engine.add(LossPrinter(every=10))
    engine.add(GradClip(5.0))
    engine.add(RefreshStatistics(start=40, every=5))
    engine.fit(sensor_batches(32, 32, 200))


if __name__ == "__main__":
    main()
