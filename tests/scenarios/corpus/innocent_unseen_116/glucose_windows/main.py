# gradwatch-corpus: kind=none
"""Glucose forecasting for several patients, state carried over windows of a few minutes' readings."""
import torch

from callbacks import LossTrace, StateReset
from config import Config
from net import StatefulForecaster
from trainer import WindowTrainer


def main():
    torch.set_num_threads(1)
    cfg = Config()
    torch.manual_seed(cfg.seed)
    trainer = WindowTrainer(cfg, StatefulForecaster(cfg.signals, cfg.width))
    trainer.use(LossTrace(keep=12), StateReset(every=cfg.reset_every))
    trainer.fit()


if __name__ == "__main__":
    main()
