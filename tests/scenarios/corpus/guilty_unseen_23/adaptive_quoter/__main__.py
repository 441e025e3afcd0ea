# gradwatch-corpus: kind=graph-chain
# holder: self._book[desk] | repo._book[desk] | self._repo._book[desk] | repo.load(desk).weights | snapshot.weights | repo._book['eur-rates'].weights
# first-bad: 1
from __future__ import annotations

import torch

from .domain import DeskId, QuoteWindow
from .feed import SyntheticFeed
from .service import SnapshotRepository, StepSizeService


def main(ticks: int = 140, n_features: int = 12) -> None:
    torch.manual_seed(20)
    desk = DeskId("eur-rates")
    repo = SnapshotRepository(n_features)
    service = StepSizeService(repo, n_features)
    running: float = 0.0
    window: QuoteWindow
    for tick, window in enumerate(SyntheticFeed(n_features, seed=5).windows(ticks)):
        cost = service.on_window(desk, window)
        running = cost if tick == 0 else 0.9 * running + 0.1 * cost
        if tick % 20 == 0:
            rates = service.step_sizes()
            print(f"tick {tick:4d} cost {running:.4f} step size {rates.mean():.4f} "
                  f"(min {rates.min():.4f}, max {rates.max():.4f})")


if __name__ == "__main__":
    main()
