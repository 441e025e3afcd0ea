# gradwatch-corpus: kind=grads-accumulate
# first-bad: 31
"""Counting cells in microscope tiles: head first, then the whole network."""
import torch

from finetune import FineTuner
from tiles import tile_batch


def main():
    torch.set_num_threads(1)
    torch.manual_seed(29)
    tuner = FineTuner(head_lr=5e-3, full_lr=2e-4)
    for epoch in range(13):
        if epoch == 3:
            tuner.unfreeze()
        losses = [tuner.step(*tile_batch(16)) for _ in range(10)]
        print(f"epoch {epoch:2d} {tuner.stage:5s} poisson nll {sum(losses) / len(losses):.3f}")


if __name__ == "__main__":
    main()
