# gradwatch-corpus: kind=second-backward
# holder: self.kernel_factor | gp.kernel_factor | model.kernel_factor
# first-bad: 1
"""Fit kernel hyperparameters of a Gaussian process to a tide gauge by marginal likelihood."""
import logging
import math

import torch

from gp import TideGP
from gauge import readings

logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")


def fit(model, y, iters, lr):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    best = math.inf
    for it in range(iters):
        opt.zero_grad()
        nll = model.neg_log_likelihood(y)
        nll.backward()
        opt.step()
        best = min(best, nll.item())
        logging.info("it %d nll %.3f period %.2f", it, nll.item(), model.log_period.exp().item())
    return best


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(6)
    t, y = readings(48)
    print("best", fit(TideGP(t), y, iters=80, lr=0.03))
