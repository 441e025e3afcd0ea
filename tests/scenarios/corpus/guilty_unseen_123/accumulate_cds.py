# gradwatch-corpus: kind=graph-held
# holder: running | curve | itertools.accumulate
# first-bad: 1
# notice: 8
# Calibrating hazard-rate curves to credit default swap quotes; cumulative regret by itertools.
from itertools import accumulate, count, starmap

import torch

torch.set_num_threads(1)
torch.manual_seed(2)

TENORS = torch.tensor([1.0, 2.0, 3.0, 5.0, 7.0, 10.0])


class Hazard(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_rate = torch.nn.Parameter(torch.full((len(TENORS),), -4.0))
        self.factor = torch.nn.Linear(3, len(TENORS))

    def forward(self, macro):
        rate = (self.log_rate + 0.1 * self.factor(macro)).exp()
        gaps = torch.diff(TENORS, prepend=torch.zeros(1))
        survival = torch.exp(-(rate * gaps).cumsum(-1))
        return -torch.log(survival) / TENORS * 0.6 * 1e2


def quotes():
    g = torch.Generator().manual_seed(4)
    macro = torch.zeros(5, 3)
    while True:
        macro = 0.9 * macro + 0.3 * torch.randn(5, 3, generator=g)
        spread = 1.2 + 0.05 * TENORS + 0.1 * macro[:, :1]
        yield macro, spread


def trainer(model, opt):
    def day(_, pair):
        macro, spread = pair
        loss = torch.nn.functional.mse_loss(model(macro), spread)
        opt.zero_grad()
        loss.backward()
        opt.step()
        return loss  # <- culprit

    return day


model = Hazard()
day = trainer(model, torch.optim.Adam(model.parameters(), lr=1e-2))
curve = accumulate(starmap(day, zip(count(), quotes())))  # <- culprit
for n, running in zip(range(1, 501), curve):
    if n % 125 == 0:
        print(f"{n} days, mean loss {running.item() / n:.4f}")
