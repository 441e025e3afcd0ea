# gradwatch-corpus: kind=none
"""Rheology curves fitted by L-BFGS, one after another, with a retry from another start when a fit goes badly."""
from dataclasses import dataclass

import torch

torch.set_num_threads(1)
torch.manual_seed(73)


def retry(times):
    def deco(fn):
        def run(*args):
            best = None
            for _ in range(times):
                got = fn(*args)
                best = got if best is None or got.cost < best.cost else best
                if best.cost < 1e-3:
                    break
            return best

        return run

    return deco


@dataclass
class Fit:
    cost: float
    eta0: float
    lam: float
    power: float


class CarreauFitter:
    def __init__(self):
        self.evaluations = 0
        self.last = None

    def model(self, theta, rate):
        eta0, lam, power = theta[0].exp(), theta[1].exp(), torch.sigmoid(theta[2])
        return eta0 * (1 + (lam * rate) ** 2) ** ((power - 1) / 2)

    @retry(2)
    def fit(self, rate, eta):
        theta = (0.3 * torch.randn(3)).requires_grad_()
        opt = torch.optim.LBFGS([theta], lr=0.5, max_iter=4, line_search_fn="strong_wolfe")

        def closure():
            opt.zero_grad()
            self.last = (self.model(theta, rate).log() - eta.log()).square().mean()
            self.last.backward()
            self.evaluations += 1
            return self.last

        for _ in range(5):
            cost = opt.step(closure)
        return Fit(cost.item(), *theta.tolist())


fitter = CarreauFitter()
rate = torch.logspace(-2, 2, 15)
for sample in range(100):
    truth = torch.randn(3) * 0.5
    eta = fitter.model(truth, rate) * (1 + 0.02 * torch.randn(15))
    fit = fitter.fit(rate, eta)
    if sample % 20 == 0:
        print(sample, fit, fitter.evaluations)
