# gradwatch-corpus: kind=none
"""Moth wing patterns: train a small CNN and look inside it with temporary hooks."""
import torch

from model import WingNet
from observers import ActivationReport, BestSnapshot, History
from trainer import Trainer


def main():
    torch.manual_seed(17)
    model = WingNet(species=4)
    observers = [History(), ActivationReport("stem", every=10, keep=5), BestSnapshot()]
    trainer = Trainer(model, observers)
    trainer.run(steps=100)
    for observer in observers:
        print(observer.describe())


if __name__ == "__main__":
    main()
