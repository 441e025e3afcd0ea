# gradwatch-corpus: kind=graph-held
# holder: weakref.finalize._registry | closer | outcome | loss | belt.standing | self.standing
# first-bad: 1
# notice: 8
"""Parcel sorting camera: shape classifier with a ledger that is written when a parcel batch leaves the belt."""
import torch

from belt import Belt
from ledger import Ledger
from sorter import build_sorter, fit_parcels


def main():
    torch.set_num_threads(1)
    torch.manual_seed(51)
    net, opt = build_sorter()
    ledger = Ledger()
    belt = Belt(seed=52, rounds=360)
    for i, parcels in enumerate(belt):
        loss = fit_parcels(net, opt, parcels, ledger)
        if i % 60 == 0:
            print(f"round {i:3d}  loss {loss:.4f}  on belt {len(belt.standing)}")
    belt.clear()
    print(f"ledger: {ledger.closed} closed, mean {ledger.mean():.4f}")


if __name__ == "__main__":
    main()
