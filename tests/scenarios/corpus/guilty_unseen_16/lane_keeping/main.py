# gradwatch-corpus: kind=graph-held
# holder: self.total | self.metrics["lateral_mae"].total | trainer.metrics["lateral_mae"].total | metrics["lateral_mae"].total | self.metrics | trainer.metrics | self._metrics["lateral_mae"].total | trainer.metrics._metrics["lateral_mae"].total
# first-bad: 1
"""Steering and lateral-offset regression from a flattened lane-marking raster, for the
parking-deck vehicle. Synthetic frames until the recorder is mounted again."""
import torch

from engine import LaneTrainer, TrainConfig
from frames import FrameSource
from nets import build


def main():
    torch.manual_seed(17)
    torch.set_num_threads(1)
    cfg = TrainConfig(steps=320, lr=2e-3, report_every=80)
    source = FrameSource(rows=12, cols=20, batch=24, seed=5)
    model = build("lane_mlp", rows=12, cols=20, width=64)
    trainer = LaneTrainer(model, source, cfg)
    trainer.fit()
    print("final:", trainer.metrics.summary())


if __name__ == "__main__":
    main()
