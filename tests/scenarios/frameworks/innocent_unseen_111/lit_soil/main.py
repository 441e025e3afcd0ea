# gradwatch-corpus: kind=none
"""Soil moisture regression; Lightning with an EMA callback and per-epoch output lists."""
import logging
import tempfile
import warnings

import lightning as L
import torch

from callbacks import History, WeightEMA
from module import SoilDataModule, SoilNet

torch.set_num_threads(1)
warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def main():
    L.seed_everything(42, verbose=False)
    history = History()
    with tempfile.TemporaryDirectory() as root:
        trainer = L.Trainer(
            max_epochs=8,
            accelerator="cpu",
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            accumulate_grad_batches=2,
            default_root_dir=root,
            callbacks=[WeightEMA(0.98), history],
        )
        trainer.fit(SoilNet(), datamodule=SoilDataModule())
    for row in history.rows[::3]:
        print(row)


if __name__ == "__main__":
    main()
