# gradwatch-corpus: kind=second-backward
# holder: loss | objective | errors
# first-bad: 49
# notice: 0
"""Monte-Carlo calibration of a stochastic-volatility model to a small smile."""
from itertools import count
import torch
from torch.nn.functional import softplus

torch.set_num_threads(1)
torch.manual_seed(70)

STRIKES = torch.tensor([0.85, 0.95, 1.0, 1.05, 1.15])
QUOTES = torch.tensor([0.1606, 0.0842, 0.0560, 0.0349, 0.0112])
NAMES = ("kappa", "theta", "xi", "rho", "v0")


def unpack(raw):
    kappa, theta, xi, v0 = (softplus(raw[i]) for i in (0, 1, 2, 4))
    return kappa, theta, xi, torch.tanh(raw[3]), v0


def paths(raw, n=64, steps=10, maturity=0.5):
    kappa, theta, xi, rho, v0 = unpack(raw)
    h = maturity / steps
    log_s, v = torch.zeros(n), v0.expand(n)
    for _ in range(steps):
        z1, z2 = torch.randn(2, n // 2).repeat(1, 2) * torch.tensor([1.0, -1.0]).repeat_interleave(n // 2)
        vol = v.clamp_min(1e-4).sqrt()
        log_s = log_s - 0.5 * h * v + vol * h ** 0.5 * z1
        v = v + kappa * (theta - v) * h + xi * vol * h ** 0.5 * (rho * z1 + (1 - rho ** 2).sqrt() * z2)
        v = v.clamp_min(1e-4)
    return log_s.exp()


def price(raw):
    terminal = paths(raw)
    return (terminal[:, None] - STRIKES).clamp_min(0).mean(0)


class Calibrator:
    def __init__(self):
        self.raw = torch.tensor([1.0, -3.0, -1.0, -0.4, -3.0], requires_grad=True)
        self.opt = torch.optim.Adam([self.raw], lr=0.02)
        self.reports = []

    def iterate(self):
        errors = (price(self.raw) - QUOTES) / QUOTES
        objective = errors.pow(2).mean()
        self.opt.zero_grad()
        objective.backward()  # <- culprit
        self.opt.step()
        return errors, objective

    def sensitivity(self, objective):
        slope, = torch.autograd.grad(objective, self.raw)  # <- culprit
        self.reports.append(dict(zip(NAMES, slope.tolist())))
        return self.reports[-1]


calibrator = Calibrator()
for n in count():
    errors, loss = calibrator.iterate()
    if (n + 1) % 50 == 0:
        print(n + 1, f"rmse {loss.item() ** 0.5:.4f}", calibrator.sensitivity(loss))
    if n == 399:
        break

print("worst strike", STRIKES[errors.abs().argmax()].item())
