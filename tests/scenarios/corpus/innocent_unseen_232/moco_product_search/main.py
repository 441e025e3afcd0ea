# gradwatch-corpus: kind=none
import torch

from augment import ProductViews
from encoder import MomentumPair
from queue_bank import KeyQueue
from loop import ContrastiveLoop


def main():
    torch.manual_seed(33)
    views = ProductViews(n_products=200, dim=24, seed=33)
    pair = MomentumPair(24, 16, momentum=0.98)
    bank = KeyQueue(size=256, dim=16)
    loop = ContrastiveLoop(pair, bank, views)
    loop.run(120)


if __name__ == "__main__":
    main()
