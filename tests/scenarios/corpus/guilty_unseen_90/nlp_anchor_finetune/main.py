# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | self.average.shadow | trainer.reg.average.shadow | reg.average.shadow
# first-bad: 1
# notice: 5
"""Intent classification on bags of n-grams with a "stay close to the moving average" penalty.

Adapted from my course project repo (originally RecAdam + SMART style regularisation).
"""
import torch

from config import Config
from data import IntentDataset
from model import BagClassifier
from regularizers import build_regularizer
from trainer import Trainer


def main():
    cfg = Config()
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)

    ds = IntentDataset(cfg.vocab, cfg.classes, cfg.max_len, size=2048, seed=cfg.seed)
    model = BagClassifier(cfg.vocab, cfg.dim, cfg.classes)
    reg = build_regularizer(cfg.regularizer, model, weight=cfg.reg_weight, decay=cfg.decay)
    trainer = Trainer(model, reg, cfg)

    for epoch in range(cfg.epochs):
        ce, pen = trainer.run_epoch(ds)
        print(f"epoch {epoch} ce {ce:.4f} penalty {pen:.5f}")
    print("train acc", trainer.accuracy(ds))


if __name__ == "__main__":
    main()
