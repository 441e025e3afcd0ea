# gradwatch-corpus: kind=graph-chain
# holder: self.state | self.reservoir.state | model.reservoir.state | reservoir.state | trainer.model.reservoir.state
# first-bad: 1
# notice: 5
"""One-step forecasting of a Mackey-Glass-like load signal with a trainable-input reservoir."""
import logging
import tempfile
import warnings

import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

from reservoir import EchoReservoir

torch.set_num_threads(1)
warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


class Windows(Dataset):
    """Consecutive windows of several parallel series; item = one window (steps, series)."""

    def __init__(self, n_windows, steps, series):
        total = n_windows * steps + 1
        x = torch.full((total + 17, series), 1.2) + 0.1 * torch.rand(total + 17, series)
        for t in range(17, total + 16):
            d = x[t - 17]
            x[t + 1] = x[t] + 0.2 * d / (1 + d**10) - 0.1 * x[t]
        self.x = x[17:] - x[17:].mean()
        self.steps, self.n = steps, n_windows

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        s = slice(i * self.steps, (i + 1) * self.steps + 1)
        return self.x[s]


class Forecaster(pl.LightningModule):
    def __init__(self, units=32, series=4):
        super().__init__()
        self.automatic_optimization = False
        self.reservoir = EchoReservoir(1, units)
        self.readout = nn.Linear(units, 1)
        self.curve = []

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        window = batch[0]
        feats = self.reservoir(window[:-1].unsqueeze(-1))
        pred = self.readout(feats).squeeze(-1)
        loss = F.mse_loss(pred, window[1:])
        opt.zero_grad()
        self.manual_backward(loss, retain_graph=True)  # <- culprit
        self.clip_gradients(opt, gradient_clip_val=0.5, gradient_clip_algorithm="norm")
        opt.step()
        self.log("mse", loss, on_step=False, on_epoch=True)

    def on_train_epoch_end(self):
        self.lr_schedulers().step()
        self.curve.append(self.trainer.callback_metrics["mse"].item())

    def configure_optimizers(self):
        opt = torch.optim.RMSprop(self.parameters(), lr=2e-3)
        return [opt], [torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)]


def main():
    pl.seed_everything(77, verbose=False)
    data = Windows(n_windows=156, steps=4, series=4)
    model = Forecaster()
    with tempfile.TemporaryDirectory() as root:
        trainer = pl.Trainer(
            max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False,
            enable_progress_bar=False, enable_model_summary=False, default_root_dir=root,
        )
        trainer.fit(model, DataLoader(data, batch_size=1, shuffle=False))
    print("mse per epoch", [round(c, 5) for c in model.curve])


if __name__ == "__main__":
    main()
