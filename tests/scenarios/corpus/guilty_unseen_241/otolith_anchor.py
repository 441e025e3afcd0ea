# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | penalty.anchor | self.penalty.anchor | fitter.penalty.anchor
# first-bad: 1
"""Fits von Bertalanffy growth curves of several fish stocks to otolith ring widths,
pulled softly towards a slowly moving anchor of the stock parameters."""
import torch
from torch import nn

N_STOCKS = 9
MAX_AGE = 14


class GrowthTable(nn.Module):
    """Row = stock, columns = log L_inf, log K, t0."""

    def __init__(self, n_stocks):
        super().__init__()
        start = torch.tensor([4.0, -1.6, -0.4])
        self.theta = nn.Parameter(start.repeat(n_stocks, 1) + 0.05 * torch.randn(n_stocks, 3))

    def forward(self, stock, age):
        rows = self.theta[stock]
        l_inf = rows[:, 0].exp()
        k = rows[:, 1].exp()
        t0 = rows[:, 2]
        return l_inf * (1 - torch.exp(-k * (age - t0)))


class AnchorPenalty:
    def __init__(self, table, stiffness=0.3, drift=0.05):
        self.table = table
        self.stiffness = stiffness
        self.drift = drift
        self.anchor = table.theta.detach().clone()

    def advance(self):
        self.anchor = torch.lerp(self.anchor, self.table.theta, self.drift)  # <- culprit

    def __call__(self):
        gap = self.table.theta - self.anchor  # <- culprit
        return self.stiffness * gap.pow(2).sum()


class CatchSampler:
    def __init__(self, seed):
        self.rng = torch.Generator().manual_seed(seed)
        base = torch.tensor([4.2, -1.3, -0.6])
        self.truth = base + 0.25 * torch.randn(N_STOCKS, 3, generator=self.rng)

    def haul(self, n=256):
        stock = torch.randint(0, N_STOCKS, (n,), generator=self.rng)
        age = torch.rand(n, generator=self.rng) * MAX_AGE + 0.5
        rows = self.truth[stock]
        length = rows[:, 0].exp() * (1 - torch.exp(-rows[:, 1].exp() * (age - rows[:, 2])))
        length = length * (1 + 0.06 * torch.randn(n, generator=self.rng))
        return stock, age, length


class StockFitter:
    def __init__(self, seed=2024):
        torch.manual_seed(seed)
        self.table = GrowthTable(N_STOCKS)
        self.penalty = AnchorPenalty(self.table)
        self.sampler = CatchSampler(seed)
        self.optimizer = torch.optim.AdamW(self.table.parameters(), lr=0.02, weight_decay=0.0)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 160)

    def likelihood(self, stock, age, length):
        expected = self.table(stock, age)
        relative = (length - expected) / expected.detach().clamp_min(1.0)
        return nn.functional.huber_loss(relative, torch.zeros_like(relative), delta=0.2)

    def one_haul(self):
        stock, age, length = self.sampler.haul()
        misfit = self.likelihood(stock, age, length)
        pull = self.penalty()
        total = misfit + pull
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        self.optimizer.step()
        self.schedule.step()
        self.penalty.advance()
        return misfit.item(), pull.item()

    def fit(self, hauls):
        for h in range(hauls):
            misfit, pull = self.one_haul()
            if h % 20 == 0:
                print(f"haul {h:3d}  misfit {misfit:.5f}  pull {pull:.6f}")


if __name__ == "__main__":
    fitter = StockFitter()
    fitter.fit(160)
    print("L_inf:", [round(v, 1) for v in fitter.table.theta[:, 0].exp().tolist()])
