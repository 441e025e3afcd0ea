# gradwatch-corpus: kind=graph-held
# holder: obj.__dict__["_calibration_points"] | obj.__dict__[self.slot] | board._calibration_points | board.calibration | self.board.calibration | Board.calibration | trainer.board._calibration_points | self.board._calibration_points
# first-bad: 1
"""Click-through ranking on synthetic impressions: two-tower scorer, plugin registry,
callbacks run in the order of their priority."""
from dataclasses import dataclass

import torch
from torch import nn

import plugins
from plugins import Board, build_plugins
from towers import TwoTower


@dataclass(frozen=True)
class Config:
    users: int = 400
    items: int = 250
    width: int = 24
    batch: int = 96
    steps: int = 240
    lr: float = 3e-3
    plugins: tuple = ("report", "calibration", "warmup")


class Impressions:
    """Endless stream of (user, item, clicked)."""

    def __init__(self, cfg: Config, seed: int):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.taste_u = torch.randn(cfg.users, 4, generator=self.gen)
        self.taste_i = torch.randn(cfg.items, 4, generator=self.gen)

    def __iter__(self):
        c = self.cfg
        while True:
            u = torch.randint(c.users, (c.batch,), generator=self.gen)
            i = torch.randint(c.items, (c.batch,), generator=self.gen)
            p = torch.sigmoid((self.taste_u[u] * self.taste_i[i]).sum(-1) - 1.0)
            yield u, i, torch.bernoulli(p, generator=self.gen)


class Trainer:
    def __init__(self, cfg: Config):
        torch.manual_seed(11)
        self.cfg = cfg
        self.model = TwoTower(cfg.users, cfg.items, cfg.width)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.criterion = nn.BCEWithLogitsLoss()
        self.board = Board()
        self.plugins = build_plugins(cfg.plugins)
        self.step = 0

    def emit(self, event: str, **payload):
        for plugin in self.plugins:
            handler = getattr(plugin, f"on_{event}", None)
            if handler is not None:
                handler(self, **payload)

    def fit(self):
        self.emit("start")
        for self.step, (u, i, y) in zip(range(self.cfg.steps), Impressions(self.cfg, 5)):
            self.board.clock = self.step
            self.optimizer.zero_grad(set_to_none=True)
            logits = self.model(u, i)
            loss = self.criterion(logits, y)
            loss.backward()
            self.optimizer.step()
            self.emit("step_end", logits=logits, labels=y, loss=loss)
        self.emit("end")


if __name__ == "__main__":
    print("available plugins:", ", ".join(sorted(plugins.REGISTRY)))
    Trainer(Config()).fit()
