# gradwatch-corpus: kind=none
"""Character model over synthetic tide logs, truncated BPTT with a carried LSTM state."""
import torch

from tide.config import TideConfig
from tide.corpus import TideLog
from tide.model import TideModel
from tide.trainer import TbpttTrainer


def main():
    torch.set_num_threads(1)
    cfg = TideConfig()
    torch.manual_seed(cfg.seed)
    log = TideLog(cfg.n_symbols, cfg.lanes)
    trainer = TbpttTrainer(cfg, TideModel(cfg))
    trainer.fit(log.windows(cfg.window))
    print("bits per symbol %.3f" % trainer.meter.mean(50))


if __name__ == "__main__":
    main()
