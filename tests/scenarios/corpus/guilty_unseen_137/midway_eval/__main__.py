# gradwatch-corpus: kind=crashed
# first-bad: 75
# notice: 0
"""Energy-price quantile forecaster with an early-stopping validator."""
import torch

torch.set_num_threads(1)

from .loop import fit
from .series import Prices


if __name__ == "__main__":
    torch.manual_seed(91)
    fit(Prices(900, seed=91), epochs=12, per_epoch=25)
