# gradwatch-corpus: kind=graph-held
# holder: self.rows | recap.rows | self.rows["loss"] | self.rows[key] | recap.rows["loss"]
# first-bad: 1
import torch
from torch import nn

from .callbacks import EpochRecap, LrDecay
from .data import TripStream
from .loop import Loop


def build_model(width=32):
    return nn.Sequential(
        nn.Linear(4, width), nn.ReLU(),
        nn.Linear(width, width), nn.ReLU(),
        nn.Linear(width, 1),
    )


def main():
    torch.set_num_threads(1)
    torch.manual_seed(11)
    model = build_model()
    recap = EpochRecap()
    loop = Loop(model, torch.optim.AdamW(model.parameters(), lr=3e-3), [recap, LrDecay()])
    loop.fit(TripStream(), epochs=6)
    print("batches seen:", len(recap.rows["loss"]))


if __name__ == "__main__":
    main()
