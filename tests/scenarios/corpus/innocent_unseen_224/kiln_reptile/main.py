# gradwatch-corpus: kind=none
"""Pottery kilns: meta-learn a firing curve that adapts to a new kiln in three steps."""
import torch

from inner import InnerLoop
from kilns import KilnFactory
from meta import CurveNet, MetaTrainer


def main():
    torch.manual_seed(640)
    net = CurveNet(width=24)
    trainer = MetaTrainer(net, InnerLoop(steps=3, lr=0.1), KilnFactory(), tasks=4)
    for r in range(90):
        trainer.round()
        if r % 30 == 0:
            print(r, f"{trainer.meter.value:.4f}")
    print("end", f"{trainer.meter.value:.4f}")


if __name__ == "__main__":
    main()
