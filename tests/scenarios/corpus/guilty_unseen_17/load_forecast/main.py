# gradwatch-corpus: kind=graph-held
# holder: self.value | meter.value | self.meters["loss"].value | self.meters["loss"] | self.board.meters["loss"].value | trainer.board.meters["loss"].value | board.meters["loss"].value
# first-bad: 1
"""Day-ahead load forecast for the five substations of the plant; quantile heads, pinball loss.

Run with `python main.py`; the horizon and the quantiles are at the top of the file.
"""
import torch

from data import SubstationFeed
from meters import MeterBoard
from model import QuantileForecaster, pinball

QUANTILES = (0.1, 0.5, 0.9)
HISTORY, HORIZON = 48, 12
STEPS = 260


class Trainer:
    def __init__(self, model, feed, lr=2e-3):
        self.model = model
        self.feed = feed
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-4)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, STEPS)
        self.board = MeterBoard(alpha=0.05)
        self.q = torch.tensor(QUANTILES)

    @torch.no_grad()
    def coverage(self, forecast, target):
        inside = (target >= forecast[..., 0]) & (target <= forecast[..., -1])
        return inside.float().mean().item()

    def step(self, history, target):
        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        forecast = self.model(history)
        loss = pinball(forecast, target, self.q)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.schedule.step()
        self.board.update(
            loss=loss,  # <- culprit
            coverage=self.coverage(forecast, target),
            grad_norm=norm.item(),
        )

    def fit(self, steps):
        for i, (history, target) in enumerate(self.feed.take(steps)):
            self.step(history, target)
            if (i + 1) % 65 == 0:
                print(f"step {i + 1:4d}  {self.board.line()}")
        return self.board


def main():
    torch.manual_seed(11)
    feed = SubstationFeed(n_sub=5, history=HISTORY, horizon=HORIZON, batch=32, seed=4)
    model = QuantileForecaster(n_sub=5, history=HISTORY, horizon=HORIZON, n_q=len(QUANTILES))
    trainer = Trainer(model, feed)
    board = trainer.fit(STEPS)
    print("final:", board.line())


if __name__ == "__main__":
    main()
