# gradwatch-corpus: kind=none
"""Wind park output forecast. The loss couples four parks (their errors should not be correlated), so their
forecasts are collected first and only then there is one backward for all."""
from collections import defaultdict

import torch
from torch import nn

PARKS = ["north", "coast", "ridge", "island"]
LAGS = 24


class Weather:
    def __init__(self, seed=120):
        self.g = torch.Generator().manual_seed(seed)
        self.common = 0.0
        self.history = {p: torch.zeros(LAGS + 1) for p in PARKS}
        for _ in range(LAGS + 1):
            self.tick()

    def tick(self):
        self.common = 0.95 * self.common + 0.3 * torch.randn((), generator=self.g).item()
        for i, p in enumerate(PARKS):
            h = self.history[p]
            new = torch.tanh(0.7 * h[-1] + 0.3 * self.common + 0.1 * i * h[-3] + 0.1 * torch.randn((), generator=self.g))
            self.history[p] = torch.cat([h[1:], new.view(1)])

    def windows(self, n):
        rows = defaultdict(list)
        for _ in range(n):
            self.tick()
            for p in PARKS:
                rows[p].append(self.history[p])
        return {p: torch.stack(r) for p, r in rows.items()}


class ParkNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.park = nn.ParameterDict({p: nn.Parameter(torch.zeros(16)) for p in PARKS})
        self.lag = nn.Linear(LAGS, 16)
        self.out = nn.Sequential(nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, park, lags):
        return self.out(self.lag(lags) + self.park[park]).squeeze(-1)


class JointStep:
    """Collects (forecast, target) per park; `close` turns them into one loss and forgets them."""

    def __init__(self, coupling):
        self.coupling = coupling
        self.errors = []
        self.total = None

    def add(self, forecast, target):
        err = forecast - target
        self.errors.append(err)
        part = err.pow(2).mean()
        self.total = part if self.total is None else self.total + part

    def close(self):
        e = torch.stack(self.errors)
        e = e - e.mean(dim=1, keepdim=True)
        cov = e @ e.t() / e.shape[1]
        loss = self.total / len(self.errors) + self.coupling * cov.triu(1).pow(2).sum()
        self.errors.clear()
        self.total = None
        return loss


class Journal:
    def __init__(self):
        self.losses = []
        self.best = float("inf")
        self.best_state = None

    def note(self, loss, model):
        value = loss.item()
        self.losses.append(value)
        recent = sum(self.losses[-25:]) / len(self.losses[-25:])
        if len(self.losses) >= 25 and recent < self.best:
            self.best = recent
            self.best_state = {k: v.detach().clone() for k, v in model.state_dict().items()}


def main(steps=250, window=12):
    torch.manual_seed(121)
    weather, model = Weather(), ParkNet()
    joint, journal = JointStep(coupling=0.5), Journal()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(steps):
        for park, rows in weather.windows(window).items():
            joint.add(model(park, rows[:, :-1]), rows[:, -1])
        loss = joint.close()
        opt.zero_grad()
        loss.backward()
        opt.step()
        journal.note(loss, model)
        if step % 50 == 49:
            print(f"{step + 1}: loss {journal.losses[-1]:.4f}, best mean of 25 {journal.best:.4f}")
    model.load_state_dict(journal.best_state)


if __name__ == "__main__":
    main()
