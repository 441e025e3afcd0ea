from dataclasses import dataclass

import torch

from registry import Callback, register


@dataclass
class Residual:
    epoch: int
    horizon: int
    error: torch.Tensor


@register("progress")
class Progress(Callback):
    def on_epoch_end(self, trainer):
        if trainer.epoch % 3 == 0:
            print(f"epoch {trainer.epoch:2d}  loss {trainer.epoch_loss:.4f}")


@register("residuals")
class ResidualTable(Callback):
    """Collects errors per soil horizon; prints the worst horizons when training is over."""

    def __init__(self):
        self.rows = []

    def on_batch_end(self, trainer, batch, out):
        err = (out["pred"] - batch["soc"]).abs()
        for h in batch["horizon"].unique().tolist():
            sel = batch["horizon"] == h
            self.rows.append(Residual(trainer.epoch, h, err[sel].mean()))  # <- culprit

    def on_fit_end(self, trainer):
        by = {}
        for row in self.rows:
            if row.epoch >= trainer.cfg.epochs - 2:
                by.setdefault(row.horizon, []).append(row.error)
        for h, errs in sorted(by.items()):
            print(f"horizon {h}: mean abs error {torch.stack(errs).mean():.3f}")
