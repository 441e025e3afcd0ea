# gradwatch-corpus: kind=graph-held
# holder: self.rows | cb.rows | callback.rows | self.rows[i].error | Residual.error | row.error | trainer.callbacks[1].rows
# first-bad: 1
# notice: 8
"""Soil organic carbon from near-infrared spectra, with pluggable callbacks."""
import torch

import callbacks  # noqa: F401  (fills the registry)
from config import Config
from dataset import spectra_batches
from registry import build_callbacks
from training import Trainer


def main():
    cfg = Config()
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    trainer = Trainer(cfg, build_callbacks(cfg.callbacks))
    trainer.fit(lambda: spectra_batches(cfg))


if __name__ == "__main__":
    main()
