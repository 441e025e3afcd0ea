# gradwatch-corpus: kind=graph-held
# holder: moments.mean | moments.m2 | desk.moments.mean | desk.moments.m2 | self.mean | self.m2
# first-bad: 1
# notice: 8
"""Deep hedging of a short call under proportional costs (toy Black-Scholes market)."""
import math
import torch

torch.set_num_threads(1)
torch.manual_seed(11)

SPOT, STRIKE, VOL, HORIZON, REBALANCES = 1.0, 1.0, 0.2, 0.25, 8
COST, AVERSION = 2e-3, 12.0


class RunningMoments:
    """Welford's one-pass mean and variance."""

    def __init__(self):
        self.n, self.mean, self.m2 = 0, torch.zeros(()), torch.zeros(())

    def push(self, x):
        self.n += 1
        d = x - self.mean
        self.mean = self.mean + d / self.n  # <- culprit
        self.m2 = self.m2 + d * (x - self.mean)  # <- culprit

    def summary(self):
        return self.mean.item(), math.sqrt(self.m2.item() / max(self.n - 1, 1))


def simulate(n):
    dt = HORIZON / REBALANCES
    z = torch.randn(n, REBALANCES)
    steps = (-0.5 * VOL ** 2) * dt + VOL * math.sqrt(dt) * z
    logs = torch.cat([torch.zeros(n, 1), steps.cumsum(1)], 1)
    return SPOT * logs.exp()


class Desk(torch.nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.policy = torch.nn.Sequential(
            torch.nn.Linear(3, width), torch.nn.SiLU(), torch.nn.Linear(width, 1), torch.nn.Sigmoid())
        self.premium = torch.nn.Parameter(torch.tensor(0.03))
        self.moments = RunningMoments()

    def forward(self, S):
        n = S.shape[0]
        held = torch.zeros(n)
        wealth = self.premium.expand(n)
        for k in range(REBALANCES):
            tau = torch.full((n,), 1 - k / REBALANCES)
            target = self.policy(torch.stack([S[:, k].log() * 5, tau, held], 1)).squeeze(1)
            wealth = wealth - COST * (target - held).abs() * S[:, k]
            wealth = wealth + target * (S[:, k + 1] - S[:, k])
            held = target
        return wealth - (S[:, -1] - STRIKE).clamp_min(0)

    def settle(self, S):
        pnl = self(S)
        self.moments.push(pnl.mean())  # <- culprit
        return pnl


def entropic(pnl, lam=AVERSION):
    return (torch.logsumexp(-lam * pnl, 0) - math.log(pnl.numel())) / lam


desk = Desk()
adam = torch.optim.Adam(desk.parameters(), lr=3e-3)
for day in range(400):
    pnl = desk.settle(simulate(32))
    risk = entropic(pnl) + 0.5 * desk.premium ** 2
    adam.zero_grad()
    risk.backward()
    adam.step()
    if day % 100 == 99:
        mu, sd = desk.moments.summary()
        print(f"day {day + 1}: risk {risk.item():.4f}  mean pnl {mu:+.4f} +- {sd:.4f}")
