# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | trainer.anchor | self._anchor | trainer._anchor
# first-bad: 61
# notice: 5
"""Hourly demand model for a delivery fleet, one output bias per depot."""
import torch

from config import RunConfig
from data import depot_hours
from trainer import DemandTrainer


def main():
    torch.set_num_threads(1)
    cfg = RunConfig()
    torch.manual_seed(cfg.seed)
    trainer = DemandTrainer(cfg)

    @trainer.events.on("epoch_end")
    def show(epoch, mean_loss):
        print(f"epoch {epoch:2d}  loss {mean_loss:.4f}  drift {trainer.drift():.4f}")

    trainer.fit(depot_hours(cfg))


if __name__ == "__main__":
    main()
