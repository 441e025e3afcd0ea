# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
# Term paper FIN 6xx: long-only factor-timing portfolio, differentiable Sharpe
import torch
from torch import nn


class Market:
    def __init__(self, n_assets=15, n_factors=4, seed=8):
        self.g = torch.Generator().manual_seed(seed)
        self.load = torch.randn(n_assets, n_factors, generator=self.g)
        self.mu = 0.002 * torch.randn(n_factors, generator=self.g)
        self.n_assets = n_assets

    def window(self, days=40):
        f = self.mu + 0.01 * torch.randn(days, self.load.shape[1], generator=self.g)
        eps = 0.008 * torch.randn(days, self.n_assets, generator=self.g)
        ret = f @ self.load.T + eps
        sig = ret.roll(1, 0)
        sig[0] = 0
        return sig, ret


class Allocator(nn.Module):
    def __init__(self, n_assets, hidden=32):
        super().__init__()
        self.signal = nn.Sequential(nn.Linear(n_assets, hidden), nn.Tanh())
        self.tilt = nn.Linear(hidden, n_assets, bias=False)
        self.base = nn.Parameter(torch.full((n_assets,), 1.0 / n_assets))

    def forward(self, sig):
        raw = self.base + 0.1 * self.tilt(self.signal(100 * sig))
        return raw / (raw.abs().sum(-1, keepdim=True) + 1e-6)


def project(model):
    """keep exposures inside the mandate"""
    model.base.clamp_(min=0.0, max=0.25)
    model.tilt.weight.clamp_(-0.5, 0.5)  # <- culprit


def neg_sharpe(w, ret, cost=5e-4):
    pnl = (w * ret).sum(-1)
    turnover = (w[1:] - w[:-1]).abs().sum(-1).mean()
    return -(pnl.mean() / (pnl.std() + 1e-6)) + cost * turnover


def train(n_iter=120, mandate_from=20):
    torch.manual_seed(13)
    mkt = Market()
    model = Allocator(mkt.n_assets)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    hist = []
    for i in range(n_iter):
        sig, ret = mkt.window()
        w = model(sig)
        loss = neg_sharpe(w, ret)
        if i >= mandate_from:
            with torch.no_grad():
                project(model)  # <- culprit
        opt.zero_grad()
        loss.backward()
        opt.step()
        hist.append(-loss.item())
        if i % 10 == 9:
            print(f"iter {i + 1}: in-sample Sharpe (daily) {sum(hist[-10:]) / 10:.3f}")
    return model


if __name__ == "__main__":
    train()
