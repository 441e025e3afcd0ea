# gradwatch-corpus: kind=graph-held
# holder: self.rows | history.rows
# first-bad: 1
"""Land-cover tiles: a small conv net, trained with callbacks."""
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

from callbacks import BestKeeper, EpochPrinter, History
from engine import Engine
from nets import TileNet

KINDS = 4


def fake_tiles(n=720, side=12):
    y = torch.randint(KINDS, (n,))
    grid = torch.linspace(0, 3.14, side)
    waves = torch.stack([torch.sin((k + 1) * grid) for k in range(KINDS)])
    x = waves[y][:, None, :, None] + waves[y].flip(1)[:, None, None, :]
    return TensorDataset(x + 0.8 * torch.randn(n, 3, side, side), y)


def main():
    torch.manual_seed(17)
    train_set, val_set = random_split(fake_tiles(), [600, 120])
    history = History()
    engine = Engine(
        TileNet(KINDS),
        lr=0.03,
        callbacks=[history, EpochPrinter(), BestKeeper()],
    )
    engine.fit(
        DataLoader(train_set, batch_size=24, shuffle=True),
        DataLoader(val_set, batch_size=60),
        epochs=4,
    )
    first, last = history.ends("loss")
    print(f"loss went from {first:.3f} to {last:.3f} in {len(history.rows)} steps")


if __name__ == "__main__":
    main()
