# gradwatch-corpus: kind=none
import torch

from catalogue import Catalogue
from taste import TasteModel
from training import EpochTrainer


def main():
    torch.manual_seed(71)
    catalogue = Catalogue(items=240, pages=12, text_dim=40, seed=71)
    model = TasteModel(users=80, text_dim=40, dim=16)
    trainer = EpochTrainer(model, catalogue, lr=4e-3)
    for epoch in range(7):
        summary = trainer.epoch(batches=24, size=48)
        print(f"epoch {epoch} loss {summary['loss']:.4f} cached {summary['cached']}")


if __name__ == "__main__":
    main()
