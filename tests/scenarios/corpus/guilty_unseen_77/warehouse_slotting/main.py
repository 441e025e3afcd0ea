# gradwatch-corpus: kind=graph-chain
# holder: self.ref | self.ref[name] | anchor.ref | anchor.ref[name] | trainer.anchor.ref | self.anchor.ref | self.anchor | trainer.anchor | old
# first-bad: 1
# notice: 5
"""Slotting model: predicts pick time from SKU, aisle and order features."""
import torch

from data import OrderStream
from model import PickTimeNet
from trainer import Trainer, TrainConfig


def main():
    torch.set_num_threads(1)
    torch.manual_seed(3)
    cfg = TrainConfig()
    stream = OrderStream(n_sku=120, n_aisle=12, batch=cfg.batch_size)
    model = PickTimeNet(n_sku=120, n_aisle=12)
    trainer = Trainer(model, cfg)
    trainer.fit(stream)
    print("mean abs error [s]:", round(trainer.evaluate(stream, 5), 3))


if __name__ == "__main__":
    main()
