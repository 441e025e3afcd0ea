# gradwatch-corpus: kind=graph-chain
# holder: level | trend
"""ES-RNN light: Holt smoothing with learned coefficients, streaming windows from a generator."""
import torch
from torch import nn


class Holt(nn.Module):
    def __init__(self, n_series):
        super().__init__()
        self.a = nn.Parameter(torch.zeros(n_series))
        self.b = nn.Parameter(torch.full((n_series,), -2.0))

    @property
    def alpha(self):
        return torch.sigmoid(self.a)

    @property
    def beta(self):
        return torch.sigmoid(self.b)


def smooth(holt, windows):
    """Yields one-step-ahead forecasts and targets for each window; state goes on from window to window."""
    level = trend = None
    for w in windows:
        if level is None:
            level, trend = w[:, 0], torch.zeros_like(w[:, 0])
        alpha, beta = holt.alpha, holt.beta
        preds = []
        for y in w.unbind(1):
            preds.append(level + trend)
            new = alpha * y + (1 - alpha) * (level + trend)  # <- culprit
            trend = beta * (new - level) + (1 - beta) * trend  # <- culprit
            level = new  # <- culprit
        yield torch.stack(preds, 1), w


def make_windows(n, series=200, length=6):
    t = 0
    phase = torch.rand(series, 1) * 6
    for _ in range(n):
        s = torch.arange(t, t + length).float()
        yield torch.sin(0.2 * s + phase) + 0.01 * s + 0.1 * torch.randn(series, length)
        t += length


def main(steps=110):
    torch.manual_seed(99)
    holt = Holt(200)
    opt = torch.optim.RMSprop(holt.parameters(), lr=0.01)
    for i, (pred, target) in enumerate(smooth(holt, make_windows(steps))):
        loss = nn.functional.smooth_l1_loss(pred, target)
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        if i % 20 == 0:
            print(f"window {i}: {loss.item():.4f}")


main()
