import torch
from torch import nn
from torch.nn import functional as F


class LightningModule(nn.Module):
    trainer = None

    def log(self, name, value):
        self.trainer.logged_metrics[name] = float(value)

    def on_train_epoch_start(self):
        pass

    def on_train_epoch_end(self):
        pass

    def on_validation_epoch_end(self):
        pass


class LitVAE(LightningModule):
    def __init__(self, dim, latent, beta=0.5):
        super().__init__()
        self.beta = beta
        self.enc = nn.Sequential(nn.Linear(dim, 32), nn.ReLU())
        self.mu, self.logvar = nn.Linear(32, latent), nn.Linear(32, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, dim))
        self.training_step_outputs = []
        self.validation_step_outputs = []

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar

    def _shared_step(self, batch):
        (x,) = batch
        recon, mu, logvar = self(x)
        bce = F.binary_cross_entropy_with_logits(recon, x, reduction="none").sum(1).mean()
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return bce + self.beta * kl

    def training_step(self, batch, batch_idx):
        loss = self._shared_step(batch)
        self.training_step_outputs.append(loss)  # <- culprit
        return loss

    def on_train_epoch_end(self):
        epoch_average = torch.stack(self.training_step_outputs).mean()  # <- culprit
        self.log("train_loss_epoch", epoch_average)

    def validation_step(self, batch, batch_idx):
        self.validation_step_outputs.append(self._shared_step(batch))

    def on_validation_epoch_end(self):
        self.log("val_loss", torch.stack(self.validation_step_outputs).mean())
        self.validation_step_outputs.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=2e-3)
