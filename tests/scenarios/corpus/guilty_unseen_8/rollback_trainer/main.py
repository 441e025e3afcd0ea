# gradwatch-corpus: kind=memory-climb
# holder: self._blobs | vault._blobs | self.vault._blobs | trainer.vault._blobs
# first-bad: 3
"""Tabular autoencoder for sensor anomaly scores; rolls back to an earlier snapshot when the loss jumps."""
from __future__ import annotations

import torch

from autoencoder import SensorAE, sensor_batches
from trainer import RollbackTrainer
from vault import SnapshotVault


def main() -> None:
    torch.manual_seed(55)
    trainer = RollbackTrainer(SensorAE(sensors=128), vault=SnapshotVault(keep=3), jump=1.6)
    trainer.fit(sensor_batches(sensors=128, size=32), steps=300)
    print(f"rollbacks {trainer.rollbacks}, snapshots at hand {trainer.vault.tags()}")


if __name__ == "__main__":
    main()
