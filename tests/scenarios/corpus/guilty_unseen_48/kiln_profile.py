# gradwatch-corpus: kind=graph-held
# holder: FeatureDesk.features | self.features | desk.features | self._desk.features
# first-bad: 1
"""Two heads over one encoder: peak temperature and crack risk of a kiln firing."""
import functools
import time
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Settings:
    steps: int = 90
    batch: int = 32
    width: int = 64
    risk_weight: float = 0.5
    lr: float = 3e-3


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv1d(3, 16, 7, stride=2, padding=3)
        self.mix = nn.Linear(16 * 24, width)

    def forward(self, curve):
        return torch.tanh(self.mix(F.relu(self.conv(curve)).flatten(1)))


class FiringLog:
    """A ticket is the number of a batch; the same ticket gives the same firings."""

    def __init__(self, batch):
        self.batch = batch

    def fetch(self, ticket):
        gen = torch.Generator().manual_seed(ticket)
        curve = torch.randn(self.batch, 3, 48, generator=gen).cumsum(-1) * 0.2
        peak = curve[:, 0].amax(-1)
        crack = (curve[:, 1].diff(dim=-1).abs().amax(-1) > 0.5).float()
        return curve, peak, crack


class FeatureDesk:
    """Heads ask here for features, so that the encoder runs once for both."""

    def __init__(self, encoder, log):
        self.encoder, self.log = encoder, log

    @functools.lru_cache(maxsize=None)  # <- culprit
    def features(self, ticket):
        curve, _, _ = self.log.fetch(ticket)
        return self.encoder(curve)  # <- culprit


class Head(nn.Module):
    def __init__(self, width, desk):
        super().__init__()
        self.out = nn.Linear(width, 1)
        self._desk = desk

    def forward(self, ticket):
        return self.out(self._desk.features(ticket)).squeeze(-1)


class PeakHead(Head):
    def loss(self, ticket, peak, crack):
        return F.mse_loss(self(ticket), peak)


class CrackHead(Head):
    def loss(self, ticket, peak, crack):
        return F.binary_cross_entropy_with_logits(self(ticket), crack)


@contextmanager
def stopwatch(label):
    began = time.perf_counter()
    yield
    print(f"{label}: {time.perf_counter() - began:.2f}s")


def main():
    torch.manual_seed(2)
    cfg = Settings()
    log = FiringLog(cfg.batch)
    encoder = Encoder(cfg.width)
    desk = FeatureDesk(encoder, log)
    heads = {PeakHead(cfg.width, desk): 1.0, CrackHead(cfg.width, desk): cfg.risk_weight}
    params = [*encoder.parameters(), *(p for h in heads for p in h.parameters())]
    opt = torch.optim.Adam(params, lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.steps)

    with stopwatch("training"):
        for ticket in range(cfg.steps):
            _, peak, crack = log.fetch(ticket)
            opt.zero_grad()
            loss = sum(w * head.loss(ticket, peak, crack) for head, w in heads.items())
            loss.backward()
            opt.step()
            sched.step()
            if ticket % 15 == 0:
                print(f"ticket {ticket:3d}  loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
