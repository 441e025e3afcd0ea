# gradwatch-corpus: kind=none
import logging
from dataclasses import dataclass

import torch
from torch import nn

from metrics import Collection, R2Score, RunningMean
from turbines import scada_stream

logger = logging.getLogger("wind_power")


@dataclass
class Config:
    updates: int = 90
    micro_batches: int = 3
    batch: int = 16
    lr: float = 4e-3
    log_every: int = 30


class PowerCurve(nn.Module):
    def __init__(self, n_in, width=32):
        super().__init__()
        self.gate = nn.Linear(n_in, width)
        self.value = nn.Linear(n_in, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(torch.sigmoid(self.gate(x)) * self.value(x)).squeeze(1)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = PowerCurve(8)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.metrics = Collection(loss=RunningMean(), r2=R2Score())

    def micro_step(self, x, power):
        pred = self.net(x)
        loss = nn.functional.mse_loss(pred, power)
        (loss / self.cfg.micro_batches).backward()
        self.metrics.update(loss=(loss, len(x)), r2=(pred, power))

    def fit(self):
        stream = scada_stream(self.cfg.batch)
        for update in range(1, self.cfg.updates + 1):
            for _ in range(self.cfg.micro_batches):
                self.micro_step(*next(stream))
            self.opt.step()
            self.opt.zero_grad()
            if update % self.cfg.log_every == 0:
                logger.info("update %d  %s", update, self.metrics.compute())
                self.metrics.reset()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(6)
    Trainer(Config()).fit()
