# gradwatch-corpus: kind=none
import torch

from callbacks import CallbackList, EarlyPatience, History, Smoothed, SpikeGuard
from data import spectra
from modules import PeakNet
from fitter import Fitter


def main(steps=340):
    torch.set_num_threads(1)
    torch.manual_seed(99)
    history = History()
    cbs = CallbackList([Smoothed(window=10), SpikeGuard(factor=4.0), history, EarlyPatience(200)])
    fitter = Fitter(PeakNet(48, 3), cbs, lr=2e-3)
    fitter.fit(spectra(48, 3, batch=16), steps)
    print("rows", len(history.rows), "skipped", fitter.skipped, "last", history.rows[-1])


if __name__ == "__main__":
    main()
