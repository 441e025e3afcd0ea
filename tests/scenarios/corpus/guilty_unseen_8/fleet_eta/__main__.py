# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Arrival-time model for a delivery fleet."""
from __future__ import annotations

import torch

from .hooks import GradClip, ProgressLine
from .loop import FitLoop
from .trips import EtaNet, trip_source


def main() -> None:
    torch.manual_seed(64)
    net = EtaNet()
    loop = FitLoop(
        net,
        torch.optim.SGD(net.parameters(), lr=2e-2, momentum=0.5),
        hooks=[GradClip(limit=5.0, quiet_first=10), ProgressLine(60)],
    )
    loop.fit(trip_source(64), steps=300)


if __name__ == "__main__":
    main()
