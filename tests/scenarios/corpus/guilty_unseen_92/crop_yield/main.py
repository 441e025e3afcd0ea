# gradwatch-corpus: kind=graph-held
# holder: self.incidents | log.incidents | self.log.incidents | trainer.log.incidents | incidents
# first-bad: 84
# notice: 8
"""Crop yield regression with an auxiliary soil-moisture head guarded against outliers."""
import torch

from data import FieldSampler
from guards import IncidentLog
from trainer import YieldTrainer


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(13)
    trainer = YieldTrainer(FieldSampler(features=10, batch=24), IncidentLog(), warmup=80)
    trainer.fit(steps=360)
    print(trainer.log.summary())


if __name__ == "__main__":
    main()
