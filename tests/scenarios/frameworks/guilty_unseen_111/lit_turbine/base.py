import lightning as L
import torch


class RegressionModule(L.LightningModule):
    """Shared train/val plumbing. Subclasses give `forward` and `criterion`."""

    def __init__(self, lr):
        super().__init__()
        self.save_hyperparameters()
        self.training_step_outputs = []
        self.validation_step_outputs = []

    def criterion(self, y_hat, y):
        raise NotImplementedError

    def _shared(self, batch):
        x, y = batch
        y_hat = self(x)
        return self.criterion(y_hat, y), y_hat, y

    def training_step(self, batch, batch_idx):
        loss, _, _ = self._shared(batch)
        self.training_step_outputs.append(loss)  # <- culprit
        return loss

    def on_train_epoch_end(self):
        avg = torch.stack(self.training_step_outputs).mean()
        self.log("train_loss", avg)
        self.training_step_outputs.clear()

    def validation_step(self, batch, batch_idx):
        loss, y_hat, y = self._shared(batch)
        self.validation_step_outputs.append((y_hat - y).abs().mean())

    def on_validation_epoch_end(self):
        self.log("val_mae", torch.stack(self.validation_step_outputs).mean())
        self.validation_step_outputs.clear()

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        sched = torch.optim.lr_scheduler.StepLR(opt, 5, 0.5)
        return {"optimizer": opt, "lr_scheduler": sched}
