import torch
from torch import nn


class SpectraNet(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, 8, 7, padding=3), nn.ReLU(), nn.AvgPool1d(4))
        self.fc = nn.Sequential(nn.Linear(8 * bands // 4, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, refl):
        z = self.conv(refl.unsqueeze(1)).flatten(1)
        return self.fc(z).squeeze(1)


class Trainer:
    def __init__(self, cfg, callbacks):
        self.cfg = cfg
        self.callbacks = callbacks
        self.model = SpectraNet(cfg.bands)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.epoch = 0
        self.epoch_loss = float("nan")

    def emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def step(self, batch):
        pred = self.model(batch["refl"])
        loss = nn.functional.huber_loss(pred, batch["soc"])
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return {"loss": loss.item(), "pred": pred}  # <- culprit

    def fit(self, make_loader):
        for self.epoch in range(self.cfg.epochs):
            total, n = 0.0, 0
            for batch in make_loader():
                out = self.step(batch)
                total, n = total + out["loss"], n + 1
                self.emit("on_batch_end", batch, out)
            self.epoch_loss = total / n
            self.emit("on_epoch_end")
        self.emit("on_fit_end")
