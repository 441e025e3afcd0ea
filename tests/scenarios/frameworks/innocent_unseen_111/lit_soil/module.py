import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics import MeanMetric, R2Score


class SoilDataModule(L.LightningDataModule):
    def setup(self, stage=None):
        g = torch.Generator().manual_seed(6)
        x = torch.randn(2368, 8, generator=g)
        y = 0.3 + 0.2 * torch.tanh(x[:, 0] * x[:, 1]) + 0.1 * x[:, 2:5].sum(1).sin()
        y = y + 0.02 * torch.randn(len(y), generator=g)
        self.train = TensorDataset(x[:1920], y[:1920])
        self.val = TensorDataset(x[1920:], y[1920:])

    def train_dataloader(self):
        return DataLoader(self.train, 32, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val, 64)


class SoilNet(L.LightningModule):
    def __init__(self, lr=4e-3):
        super().__init__()
        self.lr = lr
        self.net = nn.Sequential(nn.Linear(8, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 32), nn.GELU())
        self.mean, self.logvar = nn.Linear(32, 1), nn.Linear(32, 1)
        self.training_step_outputs = []
        self.rmse = MeanMetric()
        self.r2 = R2Score()

    def forward(self, x):
        h = self.net(x)
        return self.mean(h).squeeze(1), self.logvar(h).squeeze(1).clamp(-6, 2)

    def training_step(self, batch, batch_idx):
        x, y = batch
        mu, logvar = self(x)
        loss = F.gaussian_nll_loss(mu, y, logvar.exp())
        err = (mu - y).pow(2).mean().sqrt()
        self.training_step_outputs.append({"loss": loss, "err": err, "logvar": logvar.mean()})
        self.rmse(err)
        self.log("train_rmse", self.rmse, on_step=False, on_epoch=True)
        self.log("train_nll", loss, on_step=True, on_epoch=True)
        return loss

    def on_train_epoch_end(self):
        worst = torch.stack([o["err"] for o in self.training_step_outputs]).max()
        spread = torch.stack([o["logvar"] for o in self.training_step_outputs]).mean().exp().sqrt()
        self.log_dict({"worst_err": worst, "sigma": spread})
        self.training_step_outputs.clear()

    def validation_step(self, batch, batch_idx):
        x, y = batch
        mu, _ = self(x)
        self.r2.update(mu, y)
        self.log("val_r2", self.r2)

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.lr)
        return {"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.CosineAnnealingLR(opt, 10)}
