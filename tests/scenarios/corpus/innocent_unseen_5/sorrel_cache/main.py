# gradwatch-corpus: kind=none
# about: the memo of backbone features takes 0.6 MB per new folder of sheets, but there are 110 folders only: it fills during the first epoch and then stops; the backbone is frozen, so no graph either
"""Name plants on herbarium sheets with a small head on a frozen backbone."""
import random

import torch
import torch.nn.functional as F

from botanist import Botanist, Eye
from herbarium import Folder
from store import STORES


def epochs(folders, rng):
    while True:
        rng.shuffle(folders)
        yield from folders


def main(steps=340, seed=29):
    torch.manual_seed(seed)
    folders = [Folder(i) for i in range(110)]
    botanist = Botanist(Eye())
    opt = torch.optim.AdamW((p for p in botanist.parameters() if p.requires_grad), lr=2e-3)
    right = seen = 0
    for n, folder in zip(range(steps), epochs(folders, random.Random(seed))):
        names = botanist(folder)
        off = F.cross_entropy(names, folder.kinds)
        opt.zero_grad()
        off.backward()
        opt.step()
        right += (names.argmax(1) == folder.kinds).sum().item()
        seen += len(folder.sheets)
        if n % 55 == 54:
            store, = STORES
            print(f"{n + 1:3d} loss {off.item():.4f} right {right / seen:.2f} hits {store.hits} "
                  f"store {store.megabytes:.1f} MB")
            right = seen = 0


if __name__ == "__main__":
    main()
