# gradwatch-corpus: kind=graph-held
# holder: self._journal[topic] | bus._journal[topic] | self._journal | bus._journal | bus._journal["exposure"] | event.payload
# first-bad: 1
from __future__ import annotations

import torch

from .bus import EventBus
from .data import LoanTape
from .model import ScoreCard
from .training import ScoreTrainer


def main() -> None:
    torch.manual_seed(4)
    bus = EventBus()
    breaches: list[int] = []
    bus.subscribe("exposure", lambda e: breaches.append(e.step) if e.payload.breached else None)
    trainer = ScoreTrainer(ScoreCard(n_numeric=14, n_sectors=9), bus)
    for epoch in range(4):
        loss = trainer.run_epoch(LoanTape(seed=epoch).batches(size=256, count=60))
        print(f"epoch {epoch}: log loss {loss:.4f}, limit breaches so far {len(breaches)}, "
              f"events {bus.published('exposure')}")


if __name__ == "__main__":
    main()
