# gradwatch-corpus: kind=none
"""Nelson-Siegel curves fitted day after day with L-BFGS, warm-started."""
import torch

torch.set_num_threads(1)
torch.manual_seed(8)

TENORS = torch.tensor([0.25, 0.5, 1, 2, 3, 5, 7, 10, 20, 30])


def curve(p, log_tau):
    x = TENORS / log_tau.exp()
    slope = (1 - torch.exp(-x)) / x
    return p[0] + p[1] * slope + p[2] * (slope - torch.exp(-x))


class DayFit:
    def __init__(self):
        self.p = torch.tensor([3.0, -1.0, 0.5], requires_grad=True)
        self.log_tau = torch.tensor(0.7, requires_grad=True)

    def fit(self, quotes):
        opt = torch.optim.LBFGS([self.p, self.log_tau], lr=0.5, max_iter=4, history_size=5)
        trail = []

        def closure():
            opt.zero_grad()
            loss = (curve(self.p, self.log_tau) - quotes).pow(2).mean() + 1e-3 * self.log_tau.pow(2)
            loss.backward()
            trail.append(loss)
            return loss

        opt.step(closure)
        return trail[0].item(), trail[-1].item()


fitter = DayFit()
level = torch.tensor([3.2, -1.1, 0.4])
for day in range(480):
    level = level + 0.02 * torch.randn(3)
    quotes = curve(level, torch.tensor(0.6)) + 0.02 * torch.randn(len(TENORS))
    before, after = fitter.fit(quotes)
    if day % 96 == 0:
        print(day, f"{before:.5f} -> {after:.5f}", [round(v, 2) for v in fitter.p.tolist()])
