# gradwatch-corpus: kind=second-backward
# holder: self.heap | self.pool.heap | fitter.pool.heap | pool.heap | out | entry
# first-bad: 30
# notice: 0
"""Claim frequency of a motor book, with periodic review of the worst batches."""
import torch

from fit import Fitter, FrequencyNet
from portfolio import Portfolio


def main():
    torch.set_num_threads(1)
    torch.manual_seed(19)
    book = Portfolio(seed=4)
    net = FrequencyNet(book.n_factors)
    fitter = Fitter(net, torch.optim.Adam(net.parameters(), lr=2e-3))
    window = []
    for k, batch in enumerate(book.batches(128, 400)):
        window.append(fitter.step(*batch))
        if len(window) == 20:
            print(f"batch {k + 1:4d}  mean deviance {sum(window) / 20:.4f}")
            window.clear()


if __name__ == "__main__":
    main()
