# gradwatch-corpus: kind=inplace-modified
# holder: layer.weight | m.weight | w | weight | model.body[2].weight | pl_module.body[4].weight | model.body[4].weight
# first-bad: 60
# notice: 0
"""
Click-through model on synthetic ad impressions. After a few warm-up steps the rows of
every linear layer are kept within a maximal norm.
"""
import logging
import shutil
import tempfile
import warnings

import torch
import torch.nn.functional as F
from lightning import Callback, LightningDataModule, LightningModule, Trainer, seed_everything
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split
from torchmetrics.classification import BinaryAUROC

torch.set_num_threads(1)
warnings.simplefilter("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Impressions(LightningDataModule):
    def __init__(self, n=2400, n_ads=30, batch_size=40):
        super().__init__()
        self.n, self.n_ads, self.batch_size = n, n_ads, batch_size

    def setup(self, stage):
        ads = torch.randint(0, self.n_ads, (self.n,))
        user = torch.randn(self.n, 6)
        taste = torch.randn(self.n_ads, 6)
        p = torch.sigmoid((user * taste[ads]).sum(1) - 0.5)
        ds = TensorDataset(ads, user, torch.bernoulli(p))
        self.train, self.val = random_split(ds, [self.n - 400, 400])

    def train_dataloader(self):
        return DataLoader(self.train, self.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val, 100)


class CTR(LightningModule):
    def __init__(self, n_ads=30, dim=8, lr=5e-3):
        super().__init__()
        self.emb = nn.Embedding(n_ads, dim)
        self.body = nn.Sequential(
            nn.Linear(dim + 6, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 1)
        )
        self.lr = lr
        self.auc = BinaryAUROC()

    def forward(self, ads, user):
        return self.body(torch.cat([self.emb(ads), user], 1)).squeeze(1)

    def training_step(self, batch, _):
        ads, user, click = batch
        loss = F.binary_cross_entropy_with_logits(self(ads, user), click)
        self.log("train_loss", loss, on_epoch=True, on_step=False)
        return loss

    def validation_step(self, batch, _):
        ads, user, click = batch
        self.auc.update(self(ads, user), click.int())
        self.log("val_auc", self.auc)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.lr)


class MaxNorm(Callback):
    """Rescale the rows of linear layers whose norm exceeds `limit`."""

    def __init__(self, limit=1.0, start=60):
        self.limit, self.start = limit, start

    @torch.no_grad()
    def _project(self, module):
        for m in module.modules():
            if isinstance(m, nn.Linear):
                norm = m.weight.norm(dim=1, keepdim=True)
                m.weight.mul_((self.limit / norm).clamp(max=1.0))  # <- culprit

    def on_before_zero_grad(self, trainer, pl_module, optimizer):  # <- culprit
        if trainer.global_step >= self.start:
            self._project(pl_module)  # <- culprit


class Echo(Callback):
    def on_validation_end(self, trainer, pl_module):
        print(trainer.global_step, {k: round(v.item(), 4) for k, v in trainer.callback_metrics.items()})


def main():
    seed_everything(404, verbose=False)
    root = tempfile.mkdtemp()
    trainer = Trainer(
        max_epochs=5, accelerator="cpu", devices=1, logger=False, enable_checkpointing=False,
        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0,
        default_root_dir=root, callbacks=[MaxNorm(), Echo()],
    )
    try:
        trainer.fit(CTR(), datamodule=Impressions())
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
