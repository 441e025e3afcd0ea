# gradwatch-corpus: kind=graph-held
# holder: self.tracker.lifetime["loss"] | self.lifetime[name] | self.lifetime | tracker.lifetime | tracker.lifetime["loss"] | self.tracker.lifetime | trainer.tracker.lifetime
# first-bad: 1
"""Store-level demand forecasting with quantile heads; ported from the planning team's notebook (S. Okafor)."""
from dataclasses import dataclass

import torch
from torch import nn

from data import DemandStream
from tracking import MetricTracker


@dataclass
class ForecastConfig:
    history: int = 28
    horizon: int = 7
    stores: int = 24
    hidden: int = 48
    lr: float = 2e-3
    steps: int = 320
    report_every: int = 80
    quantiles: tuple = (0.1, 0.5, 0.9)
    smooth_weight: float = 0.05


class QuantileForecaster(nn.Module):
    def __init__(self, cfg: ForecastConfig):
        super().__init__()
        self.cfg = cfg
        self.embed = nn.Embedding(cfg.stores, 8)
        self.body = nn.Sequential(
            nn.Linear(cfg.history + 8, cfg.hidden), nn.GELU(),
            nn.Linear(cfg.hidden, cfg.hidden), nn.GELU(),
        )
        self.head = nn.Linear(cfg.hidden, cfg.horizon * len(cfg.quantiles))

    def forward(self, past, store):
        z = self.body(torch.cat([past, self.embed(store)], dim=-1))
        return self.head(z).view(-1, len(self.cfg.quantiles), self.cfg.horizon)


def pinball(pred, target, quantiles):
    err = target.unsqueeze(1) - pred
    q = torch.tensor(quantiles).view(1, -1, 1)
    return torch.maximum(q * err, (q - 1) * err).mean()


def smoothness(pred):
    return (pred[..., 1:] - pred[..., :-1]).pow(2).mean()


class Trainer:
    def __init__(self, cfg: ForecastConfig):
        torch.manual_seed(11)
        self.cfg = cfg
        self.model = QuantileForecaster(cfg)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.steps)
        self.tracker = MetricTracker()

    def train_step(self, batch):
        pred = self.model(batch.past, batch.store)
        parts = {
            "pinball": pinball(pred, batch.future, self.cfg.quantiles),
            "smooth": smoothness(pred),
        }
        loss = parts["pinball"] + self.cfg.smooth_weight * parts["smooth"]
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.sched.step()
        self.tracker.update(len(batch.store), loss=loss, pinball=parts["pinball"].item())  # <- culprit

    def fit(self):
        stream = DemandStream(self.cfg.stores, self.cfg.history, self.cfg.horizon)
        for step, batch in zip(range(1, self.cfg.steps + 1), stream):
            self.train_step(batch)
            if step % self.cfg.report_every == 0:
                print(f"step {step:4d}  {self.tracker.report()}")
                self.tracker.reset_window()
        print("whole run:", self.tracker.summary())


if __name__ == "__main__":
    Trainer(ForecastConfig()).fit()
