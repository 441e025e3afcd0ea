# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden | trainer.model.hidden | self.model.hidden
# first-bad: 1
# notice: 0
"""Stateful GRU for hourly temperature; windows of a season are fed in order."""
import torch

torch.set_num_threads(1)

from dataclasses import asdict, dataclass

from stateful import StatefulGRU
from stations import season_windows


@dataclass
class Settings:
    hidden: int = 12
    window: int = 16
    stations: int = 4
    lr: float = 3e-3
    epochs: int = 5


class SeasonTrainer:
    def __init__(self, settings):
        self.s = settings
        self.model = StatefulGRU(3, settings.hidden)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=settings.lr)

    def step(self, x, y):
        self.opt.zero_grad()
        loss = torch.nn.functional.huber_loss(self.model(x), y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return loss.item()

    def fit(self):
        for epoch in range(self.s.epochs):
            self.model.reset()
            losses = [self.step(x, y) for x, y in season_windows(self.s.stations, self.s.window)]
            print(epoch, sum(losses) / len(losses))


if __name__ == "__main__":
    torch.manual_seed(9)
    cfg = Settings()
    print(asdict(cfg))
    SeasonTrainer(cfg).fit()
