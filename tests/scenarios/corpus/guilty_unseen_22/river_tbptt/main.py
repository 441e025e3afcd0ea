# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Gauge-height forecast with a stateful GRU, truncated back-propagation over one day windows.
The series is generated (rain bursts into two leaky reservoirs)."""
import torch

from engine import Engine
from hydrology import catchment, windows
from network import StatefulGRU


def main(passes=3, window=24, seed=77):
    torch.manual_seed(seed)
    rain, level = catchment(hours=24 * 75, stations=6, seed=seed)
    net = StatefulGRU(n_in=2, hidden=32)
    engine = Engine(net, lr=3e-3, clip=0.5)
    for p in range(passes):
        net.reset(batch=6)
        loss = engine.run(windows(rain, level, window))
        print(f"pass {p}: mse {loss:.4f} after {engine.steps} steps")
    net.reset(batch=6)
    print(f"check: {engine.validate(windows(rain, level, window)):.4f}")


if __name__ == "__main__":
    main()
