# gradwatch-corpus: kind=none
"""Weld defect classifier with hard-example mining; compile() and fit() because the
colleagues in the plant know Keras."""
import torch
from torch import nn

from hardmining import HardPool, HardPoolCallback
from keraslike import BestWeights, EarlyStopping, Model, PrintEvery


def welds(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 1, 12, 12, generator=g)
    y = torch.randint(3, (n,), generator=g)
    for c in range(3):
        x[y == c, 0, 3 * c + 2] += 0.9
    flip = torch.rand(n, generator=g) < 0.05
    return x, torch.where(flip, (y + 1) % 3, y)


if __name__ == "__main__":
    torch.manual_seed(9)
    net = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                        nn.Linear(216, 32), nn.ReLU(), nn.Linear(32, 3))
    x, y = welds(1600, 1)
    pool = HardPool(capacity=128)
    model = Model(net)
    model.compile(torch.optim.AdamW(net.parameters(), lr=1e-3), nn.CrossEntropyLoss(reduction="none"))
    history = model.fit(x, y, epochs=6, batch_size=32, extra=pool, validation=welds(300, 2), callbacks=[
        HardPoolCallback(pool), BestWeights(), EarlyStopping(patience=10), PrintEvery(1)])
    print("val_loss:", [round(v, 3) for v in history["val_loss"]])
    print("hardest rows:", pool.hardest(5))
