"""Lightning's Trainer, its own loop and closures; half way through it starts to leak."""

import sys
import warnings

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import gradwatch_agent.auto  # noqa: F401

warnings.simplefilter("ignore")
healthy, leaking = map(int, sys.argv[1:])


class Regression(lightning.LightningModule):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        self.history = []

    def training_step(self, batch, index):
        loss = self.layers(batch[0]).pow(2).mean()
        if self.global_step >= healthy:
            self.history.append(loss)  # the leak
        return loss

    def validation_step(self, batch, index):
        self.log("loss", self.layers(batch[0]).pow(2).mean())

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.01)


rows = DataLoader(TensorDataset(torch.randn(30, 4)), batch_size=3)
trainer = lightning.Trainer(
    accelerator="cpu",
    max_steps=healthy + leaking,
    accumulate_grad_batches=2,
    gradient_clip_val=1.0,
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(Regression(), rows, rows)
