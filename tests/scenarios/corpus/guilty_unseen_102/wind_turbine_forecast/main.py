# gradwatch-corpus: kind=graph-held
# holder: self.batch_losses | tracker.batch_losses | trainer.tracker.batch_losses | self.tracker.batch_losses
# first-bad: 1
# notice: 8
"""Short-horizon power forecasting for a (synthetic) wind farm."""
import torch

from data import FarmData
from model import PowerNet
from trainer import Trainer, TrainerConfig


def main():
    torch.set_num_threads(1)
    torch.manual_seed(314)
    farm = FarmData(n_turbines=6, hours=1200, lookback=12)
    net = PowerNet(in_dim=6 * 2, hidden=24, n_turbines=6)
    cfg = TrainerConfig(epochs=12, batch_size=32, lr=3e-3, patience=5)
    trainer = Trainer(net, farm, cfg)
    trainer.fit()
    mae = trainer.evaluate()
    print(f"final MAE {mae:.4f}, LR drops: {trainer.tracker.n_drops}")


if __name__ == "__main__":
    main()
