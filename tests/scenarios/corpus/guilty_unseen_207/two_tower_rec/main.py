# gradwatch-corpus: kind=graph-held
# holder: self.rows | tracker.rows | self.tracker.rows | trainer.tracker.rows
# first-bad: 1
import torch

from config import RecConfig
from data import interactions
from model import TwoTower
from trainer import Trainer


def main():
    cfg = RecConfig()
    torch.manual_seed(cfg.seed)
    model = TwoTower(cfg)
    trainer = Trainer(model, cfg)
    trainer.fit(interactions(cfg))
    for name, value in trainer.tracker.summary().items():
        print(f"{name:>12s} {value:.4f}")


if __name__ == "__main__":
    main()
