# gradwatch-corpus: kind=none
"""NIR spectra to moisture and protein: one model per fold, terms go into sinks."""
import torch

from cv import CrossVal
from sinks import Sinks
from spectra import SpectraNet, make_spectra

torch.set_num_threads(1)
torch.manual_seed(23)


if __name__ == "__main__":
    x, y = make_spectra(480)
    sinks = Sinks()
    cv = CrossVal(x, y, folds=6, sinks=sinks)
    for rep in range(2):
        cv.run(lambda: SpectraNet(x.size(1)), iters=30, gather_every=3)
        print(rep, sinks.ledger[-1])
