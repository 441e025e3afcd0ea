# gradwatch-corpus: kind=none
"""Survival regression; learning rate follows a moving median of the loss."""
import bisect
from operator import itemgetter

import torch
from torch import nn


class MovingQuantile:
    def __init__(self, window):
        self.window = window
        self.ordered = []
        self.arrivals = {}
        self.t = 0

    def add(self, tensor):
        key = tensor.item()
        bisect.insort(self.ordered, (key, self.t, tensor), key=itemgetter(0, 1))
        self.arrivals[self.t] = key
        expired = self.t - self.window
        if expired in self.arrivals:
            old = self.arrivals.pop(expired)
            at = bisect.bisect_left(self.ordered, (old, expired), key=itemgetter(0, 1))
            self.ordered.pop(at)
        self.t += 1

    def quantile(self, q):
        i = min(len(self.ordered) - 1, int(q * len(self.ordered)))
        return self.ordered[i][2]

    def iqr(self):
        return (self.quantile(0.75) - self.quantile(0.25)).item()

    def __len__(self):
        return len(self.ordered)


class Hazard(nn.Module):
    def __init__(self, n_in=9):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 32), nn.SELU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def exponential_nll(log_rate, time, event):
    return (log_rate.exp() * time - event * log_rate).mean()


def main():
    torch.manual_seed(73)
    beta = 0.4 * torch.randn(9)
    model = Hazard()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    mq = MovingQuantile(window=61)
    best = float("inf")
    since = 0
    for it in range(680):
        x = torch.randn(64, 9)
        time = torch.distributions.Exponential((x @ beta).exp()).sample()
        event = (time < 2.5).float()
        time = time.clamp(max=2.5)
        loss = exponential_nll(model(x), time, event)
        opt.zero_grad()
        loss.backward()
        opt.step()
        mq.add(loss)
        median = mq.quantile(0.5).item()
        since = 0 if median < best - 1e-3 else since + 1
        best = min(best, median)
        if since > 150:
            for g in opt.param_groups:
                g["lr"] *= 0.5
            since = 0
        if it % 136 == 135:
            print(f"{it + 1}: median {median:.4f} iqr {mq.iqr():.4f} lr {opt.param_groups[0]['lr']:.1e} n {len(mq)}")


if __name__ == "__main__":
    main()
