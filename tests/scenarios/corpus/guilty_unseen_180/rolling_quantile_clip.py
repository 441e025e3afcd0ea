# gradwatch-corpus: kind=graph-held
# holder: self.arrivals | tracker.arrivals
# first-bad: 1
# notice: 60
"""Count regression; per-batch losses above a rolling quantile are scaled down."""
import bisect

import torch
from torch import nn


class RollingQuantile:
    def __init__(self, window):
        self.window = window
        self.ordered = []
        self.arrivals = []
        self.head = 0

    def add(self, value):
        bisect.insort(self.ordered, value.item())
        self.arrivals.append(value)  # <- culprit
        if len(self.ordered) > self.window:
            old = self.arrivals[self.head]
            self.head += 1
            self.ordered.pop(bisect.bisect_left(self.ordered, old.item()))

    def quantile(self, q):
        if len(self.ordered) < 10:
            return float("inf")
        return self.ordered[int(q * (len(self.ordered) - 1))]

    def __len__(self):
        return len(self.ordered)


class PoissonNet(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, hidden),
            nn.LayerNorm(hidden),
            nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(-1)


def counts(gen, beta, n=48):
    x = torch.randn(n, beta.numel(), generator=gen)
    rate = (x @ beta).clamp(-3, 3).exp()
    if torch.rand((), generator=gen) < 0.05:
        rate = rate * 6
    return x, torch.poisson(rate, generator=gen)


def main():
    torch.manual_seed(83)
    gen = torch.Generator().manual_seed(83)
    beta = 0.5 * torch.randn(8, generator=gen)
    model = PoissonNet(8, 32)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    nll = nn.PoissonNLLLoss(log_input=True)
    tracker = RollingQuantile(window=50)
    scaled = 0
    for it in range(600):
        x, y = counts(gen, beta)
        loss = nll(model(x), y)
        limit = tracker.quantile(0.95)
        factor = 1.0
        if loss.item() > limit:
            factor = max(0.1, limit / loss.item()) if limit > 0 else 0.1
            scaled += 1
        opt.zero_grad()
        (factor * loss).backward()
        opt.step()
        tracker.add(loss)
        if it % 120 == 119:
            print(f"{it + 1}: median {tracker.quantile(0.5):+.4f} q95 {tracker.quantile(0.95):+.4f} n {len(tracker)} scaled {scaled}")


if __name__ == "__main__":
    main()
