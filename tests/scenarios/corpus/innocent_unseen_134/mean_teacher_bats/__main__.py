# gradwatch-corpus: kind=none
"""Bat-call classifier with few labels: averaged teacher weights, micro-batches, checkpointed trunk."""
import torch

torch.set_num_threads(1)

from .trainer import SemiTrainer, SemiConfig


def main():
    cfg = SemiConfig()
    torch.manual_seed(cfg.seed)
    tr = SemiTrainer(cfg)
    for epoch in range(cfg.epochs):
        sup, con = tr.epoch()
        if epoch % 6 == 5:
            print(epoch, round(sup, 3), round(con, 4), tr.accuracy())


main()
