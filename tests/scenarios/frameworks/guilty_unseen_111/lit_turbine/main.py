# gradwatch-corpus: kind=graph-held
# holder: self.training_step_outputs | model.training_step_outputs | trainer.model.training_step_outputs | trainer.lightning_module.training_step_outputs | pl_module.training_step_outputs
# first-bad: 1
# notice: 8
"""Power-curve regression for wind turbines from SCADA-like features."""
import logging
import shutil
import tempfile
import warnings

import lightning as L
import torch

from data import ScadaDataModule
from models import PowerCurveNet

torch.set_num_threads(1)
warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class PrintMetrics(L.Callback):
    def __init__(self, every=3):
        self.every = every

    def on_validation_epoch_end(self, trainer, pl_module):
        if trainer.sanity_checking or trainer.current_epoch % self.every:
            return
        m = {k: round(float(v), 4) for k, v in trainer.callback_metrics.items()}
        print(f"epoch {trainer.current_epoch:2d} {m}")


def main():
    L.seed_everything(11, verbose=False)
    root = tempfile.mkdtemp()
    try:
        dm = ScadaDataModule(n_train=1600, n_val=320, batch_size=64)
        model = PowerCurveNet(n_features=dm.n_features, width=32, lr=3e-3)
        trainer = L.Trainer(
            max_epochs=12,
            accelerator="cpu",
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            gradient_clip_val=1.0,
            callbacks=[PrintMetrics()],
            default_root_dir=root,
        )
        trainer.fit(model, datamodule=dm)
        print("final", {k: round(float(v), 4) for k, v in trainer.callback_metrics.items()})
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
