# gradwatch-corpus: kind=none
"""Mean-teacher semi-supervised classification of star light curves; messages are rendered once per epoch."""
import torch

from lightcurves.catalogue import Catalogue
from lightcurves.experiment import Experiment
from lightcurves.journal import Journal
from lightcurves.networks import CurveNet
from lightcurves.params import Params
from lightcurves.teacher import EmaTeacher


def main():
    torch.set_num_threads(1)
    p = Params()
    torch.manual_seed(p.seed)
    net = CurveNet(p)
    journal = Journal()
    exp = Experiment(p, net, EmaTeacher(net, p.ema), Catalogue(p), journal)
    for epoch in range(p.epochs):
        exp.epoch(epoch)
        lines = journal.render()
        if epoch % 14 == 0:
            print(f"epoch {epoch}: {lines[-1]}")
    print("teacher accuracy %.3f" % exp.evaluate())


if __name__ == "__main__":
    main()
