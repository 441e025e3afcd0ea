# gradwatch-corpus: kind=none
"""One-step-ahead tide gauge forecasts, gradient of every step sent back over the last k steps."""
import torch

from gauge import TideGauge
from model import TideCell
from optim import PlainMomentum
from window import WindowedTrainer


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(6)
    cell = TideCell(n_in=2, hidden=12)
    trainer = WindowedTrainer(cell, PlainMomentum(cell.parameters(), lr=0.01), k=4)
    gauge = TideGauge(batch=6)
    for step in range(360):
        value = trainer.step(*gauge.read())
        if step % 90 == 0:
            print(f"{step:4d} {value:.4f} window={len(trainer.links)}")


if __name__ == "__main__":
    main()
