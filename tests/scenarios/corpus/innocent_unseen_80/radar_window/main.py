# gradwatch-corpus: kind=none
"""Recurrent multi-scan tracker trained on a continuous sweep."""
import torch

from sweep import Sweep
from tracker import OnlineTrainer, PlotNet, TrackCell

torch.set_num_threads(1)


def main():
    torch.manual_seed(6)
    net = PlotNet(TrackCell(4, 20))
    trainer = OnlineTrainer(net, horizon=8, lr=4e-3)
    for scan, (plots, truth) in enumerate(Sweep(targets=12, scans=280, seed=1)):
        trainer.on_scan(plots, truth)
        if scan % 40 == 39:
            print(f"scan {scan + 1:3d} rmse {trainer.recent():.4f} drift {trainer.drift():.4f}")


if __name__ == "__main__":
    main()
