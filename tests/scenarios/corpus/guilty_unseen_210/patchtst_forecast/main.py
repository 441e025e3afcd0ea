# gradwatch-corpus: kind=graph-held
# holder: self.value | self.meters["train/loss"].value | board.meters["train/loss"].value | self.meters | board.meters | trainer.board.meters["train/loss"].value
# first-bad: 1
import argparse

import torch

from forecaster import PatchForecaster
from series import windows
from trainer import Trainer


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--context", type=int, default=96)
    ap.add_argument("--horizon", type=int, default=24)
    ap.add_argument("--seed", type=int, default=2024)
    return ap.parse_args()


def main():
    cfg = parse()
    torch.manual_seed(cfg.seed)
    model = PatchForecaster(cfg.context, cfg.horizon)
    trainer = Trainer(model, lr=1e-3)
    trainer.fit(windows(cfg.context, cfg.horizon, cfg.seed), cfg.steps)


if __name__ == "__main__":
    main()
