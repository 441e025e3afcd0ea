# gradwatch-corpus: kind=none
import torch
from torch import nn

from lite.callbacks import Checkpoint, EMACallback, LossHistory
from lite.trainer import LiteModule, Trainer


class Autoencoder(LiteModule):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 8))
        self.dec = nn.Sequential(nn.Linear(8, 128), nn.ReLU(), nn.Linear(128, 64))

    def training_step(self, batch, i):
        loss = nn.functional.mse_loss(self.dec(self.enc(batch)), batch)
        self.log("train_loss", loss)
        return {"loss": loss}

    def validation_step(self, batch, i):
        return nn.functional.mse_loss(self.dec(self.enc(batch)), batch)

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=1e-3)
        return opt, torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)


if __name__ == "__main__":
    torch.manual_seed(0)
    basis = torch.randn(8, 64)
    train = [torch.randn(64, 8) @ basis for _ in range(40)]
    val = [torch.randn(64, 8) @ basis for _ in range(4)]
    hist = LossHistory()
    Trainer(max_epochs=6, callbacks=[hist, Checkpoint(), EMACallback(0.99)]).fit(Autoencoder(), train, val)
    print(len(hist.values), hist.values[-1])
