# gradwatch-corpus: kind=graph-held
# holder: self.pending | bus.pending | self.bus.pending | trainer.bus.pending
# first-bad: 1
"""Delivery time estimates for parcels; reports are written after the shift."""
import torch

from bus import EventBus
from depot import Depot
from eta import EtaNet
from shift import ShiftTrainer


def main():
    torch.manual_seed(60)
    bus = EventBus()
    depot = Depot(n_zones=12, seed=8)
    trainer = ShiftTrainer(EtaNet(12), depot, bus)
    bus.subscribe("batch", trainer.file_report)
    lines = trainer.run(stops=130, batch=64)
    for line in lines[::26]:
        print(line)


if __name__ == "__main__":
    main()
