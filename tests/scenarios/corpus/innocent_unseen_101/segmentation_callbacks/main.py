# gradwatch-corpus: kind=none
import torch

from callbacks import EpochReport, IoU, LrOnPlateau
from data import blob_batches
from model import TinyUNet
from trainer import Trainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    model = TinyUNet(8)
    trainer = Trainer(
        model,
        torch.optim.Adam(model.parameters(), lr=4e-3),
        callbacks=[IoU(threshold=0.5), LrOnPlateau(patience=3), EpochReport(every=4)],
    )
    trainer.fit(lambda epoch: blob_batches(18, seed=100 + epoch), epochs=20)


if __name__ == "__main__":
    main()
