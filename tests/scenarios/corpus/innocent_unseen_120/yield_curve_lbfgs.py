# gradwatch-corpus: kind=none
import math

import torch

torch.set_num_threads(1)
torch.manual_seed(360)

TENORS = torch.tensor([0.25, 0.5, 1, 2, 3, 5, 7, 10, 20, 30])


def nelson_siegel(beta, log_tau, t=TENORS):
    x = t / log_tau.exp()
    slope = (1 - torch.exp(-x)) / x
    return beta[0] + beta[1] * slope + beta[2] * (slope - torch.exp(-x))


def quotes(days):
    b = torch.tensor([4.0, -2.0, 1.0])
    for d in range(days):
        b = b + 0.03 * torch.randn(3)
        tau = torch.tensor(math.log(2.0) + 0.1 * math.sin(d / 40))
        yield nelson_siegel(b, tau) + 0.02 * torch.randn(len(TENORS))


class CurveFitter:
    def __init__(self):
        self.beta = torch.zeros(3, requires_grad=True)
        self.log_tau = torch.zeros((), requires_grad=True)
        self.anchor = None
        self.evals = []
        self.history = []

    def objective(self, q):
        fit = nelson_siegel(self.beta, self.log_tau)
        obj = (fit - q).square().sum()
        if self.anchor is not None:
            obj = obj + 0.01 * (self.beta - self.anchor).square().sum()
        return obj + 0.01 * (self.log_tau - 0.7) ** 2

    def fit(self, q):
        opt = torch.optim.LBFGS([self.beta, self.log_tau], max_iter=6, line_search_fn="strong_wolfe")
        self.evals.clear()

        def closure():
            opt.zero_grad()
            obj = self.objective(q)
            obj.backward()
            self.evals.append(obj)
            return obj

        opt.step(closure)
        self.anchor = self.beta.detach().clone()
        best = min(self.evals, key=lambda o: o.item())
        self.history.append((best.item(), len(self.evals), self.anchor.tolist()))


fitter = CurveFitter()
for day, q in enumerate(quotes(420)):
    fitter.fit(q)
    if day % 84 == 83:
        obj, n, (level, slope, curv) = fitter.history[-1]
        print(f"day {day + 1}: objective {obj:.5f} after {n} calls, level {level:.2f} slope {slope:+.2f} hump {curv:+.2f}")
print("mean calls", sum(h[1] for h in fitter.history) / len(fitter.history))
