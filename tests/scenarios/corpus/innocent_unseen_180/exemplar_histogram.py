# gradwatch-corpus: kind=none
"""Quantile regression; a histogram of losses with a few exemplars per bucket."""
import bisect

import torch
from torch import nn


class ExemplarHistogram:
    def __init__(self, edges, per_bucket):
        self.edges = list(edges)
        self.counts = [0] * (len(edges) + 1)
        self.exemplars = [[] for _ in range(len(edges) + 1)]
        self.per_bucket = per_bucket

    def observe(self, value, **labels):
        b = bisect.bisect_right(self.edges, float(value))
        self.counts[b] += 1
        shelf = self.exemplars[b]
        shelf.append((value, labels))
        if len(shelf) > self.per_bucket:
            shelf.pop(0)

    def decay(self, factor=0.5):
        self.counts = [int(c * factor) for c in self.counts]
        for b, c in enumerate(self.counts):
            if c == 0:
                self.exemplars[b] = []

    def render(self):
        peak = max(self.counts) or 1
        return "".join(" .:-=+*#%@"[min(9, 9 * c // peak)] for c in self.counts)


class QuantileNet(nn.Module):
    def __init__(self, taus):
        super().__init__()
        self.register_buffer("taus", torch.tensor(taus))
        self.net = nn.Sequential(nn.Linear(5, 32), nn.Softplus(), nn.Linear(32, len(taus)))

    def forward(self, x):
        return self.net(x)

    def pinball(self, q, y):
        d = y.unsqueeze(1) - q
        return torch.maximum(self.taus * d, (self.taus - 1) * d).mean()


def main():
    torch.manual_seed(43)
    model = QuantileNet([0.1, 0.5, 0.9])
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    hist = ExemplarHistogram([0.05 * k for k in range(1, 13)], per_bucket=4)
    w = torch.randn(5)
    for it in range(650):
        x = torch.randn(50, 5)
        y = x @ w + x[:, 0].abs() * torch.randn(50)
        q = model(x)
        loss = model.pinball(q, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        hist.observe(loss, step=it, quantiles=q)
        if it % 80 == 79:
            hist.decay()
        if it % 130 == 129:
            cross = [(l["quantiles"][:, 0] > l["quantiles"][:, 1]).float().mean().item()
                     for shelf in hist.exemplars for _, l in shelf]
            print(f"{it + 1} |{hist.render()}| crossing {sum(cross) / max(1, len(cross)):.3f}")


if __name__ == "__main__":
    main()
