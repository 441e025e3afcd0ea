# gradwatch-corpus: kind=graph-held
# holder: self.failures | fitter.failures
# first-bad: 1
# notice: 8
"""Kriging of air-quality stations: GP hyper-parameters by minibatch likelihood."""
import torch

from fitter import Fitter
from kernels import Matern32
from stations import Stations


def main():
    torch.set_num_threads(1)
    torch.manual_seed(3)
    stations = Stations(90)
    kernel = Matern32()
    fitter = Fitter(kernel, lr=0.01)
    for epoch in range(6):
        for xy, pm in stations.batches(60, size=12):
            fitter.step(xy, pm)
        print(epoch, kernel.describe(), "nll %.3f" % fitter.mean_nll())
    fitter.summary()


main()
