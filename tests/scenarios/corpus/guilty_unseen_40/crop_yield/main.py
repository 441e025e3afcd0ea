# gradwatch-corpus: kind=graph-held
# holder: self.meters._meters['loss'].total | self.meters._meters['rmse'].total | self.total | meter.total | self.meters["rmse"].total | self.meters["loss"].total | self.meters | self.meters._meters
# first-bad: 1
import logging
from dataclasses import dataclass

import torch
from torch import nn

from data import field_loader
from metrics import MeterGroup

log = logging.getLogger("crop_yield")


@dataclass
class Settings:
    epochs: int = 4
    lr: float = 3e-3
    width: int = 32
    weight_decay: float = 1e-4
    log_every: int = 10


class YieldNet(nn.Module):
    def __init__(self, n_bands, width):
        super().__init__()
        self.conv = nn.Conv1d(n_bands, width, 5, padding=2)
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 1))

    def forward(self, season):
        return self.head(torch.relu(self.conv(season)).mean(-1)).squeeze(-1)


class Trainer:
    def __init__(self, settings):
        self.s = settings
        self.net = YieldNet(6, settings.width)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=settings.lr,
                                     weight_decay=settings.weight_decay)
        self.meters = MeterGroup("loss", "rmse")

    def optimise(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

    def train_step(self, season, tonnes):
        pred = self.net(season)
        loss = nn.functional.mse_loss(pred, tonnes)
        self.optimise(loss)
        self.meters.update(len(tonnes), loss=loss, rmse=loss.sqrt())  # <- culprit

    def fit(self):
        step = 0
        for epoch in range(self.s.epochs):
            for season, tonnes in field_loader(seed=epoch):
                self.train_step(season, tonnes)
                step += 1
                if step % self.s.log_every == 0:
                    log.info("epoch %d step %d %s", epoch, step, self.meters)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(5)
    Trainer(Settings()).fit()
