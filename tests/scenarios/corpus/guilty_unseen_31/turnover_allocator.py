# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""End-to-end portfolio allocation: softmax weights, mean-variance utility.

Position limits come into force after a warm-up, the way the risk desk wants it.
"""
import torch
from torch import nn

RISK_AVERSION = 8.0
WARMUP = 20
CAP = 0.18


class Market:
    def __init__(self, n_assets, n_factors, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.load = torch.randn(n_factors, n_assets, generator=self.gen) * 0.01
        self.alpha = torch.randn(n_factors, n_assets, generator=self.gen) * 0.004
        self.n_assets, self.n_factors = n_assets, n_factors

    def sample(self, n):
        signal = torch.randn(n, self.n_factors, generator=self.gen)
        f = torch.randn(n, self.n_factors, generator=self.gen)
        idio = 0.01 * torch.randn(n, self.n_assets, generator=self.gen)
        return signal, signal @ self.alpha + f @ self.load + idio


class RiskLimits:
    def __init__(self, cap):
        self.cap = cap
        self.active = False

    def enforce(self, w):
        if not self.active:
            return w
        w.clamp_(max=self.cap)  # <- culprit
        return w / w.sum(dim=1, keepdim=True)


class Allocator(nn.Module):
    def __init__(self, n_in, n_assets, limits):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 32), nn.Tanh(), nn.Linear(32, n_assets))
        self.limits = limits

    def forward(self, signal):
        w = torch.softmax(self.body(signal), dim=1)
        return self.limits.enforce(w)  # <- culprit


def utility(w, rets):
    pnl = (w * rets).sum(dim=1)
    return pnl.mean() - 0.5 * RISK_AVERSION * pnl.var(), pnl


def concentration(w):
    return (w.detach() ** 2).sum(dim=1).mean().item()


def main(n_steps=150):
    torch.manual_seed(12)
    mkt = Market(n_assets=15, n_factors=4, seed=12)
    limits = RiskLimits(CAP)
    model = Allocator(4, 15, limits)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    ir_hist = []

    for step in range(n_steps):
        limits.active = step >= WARMUP
        signal, rets = mkt.sample(256)
        w = model(signal)
        u, pnl = utility(w, rets)
        opt.zero_grad()
        (-100 * u).backward()
        opt.step()

        d = pnl.detach()
        ir_hist.append((d.mean() / d.std()).item())
        if step % 5 == 0:
            print(f"{step:4d} utility {u.item():+.5f} IR {ir_hist[-1]:+.3f} hhi {concentration(w):.3f}", flush=True)

    print("avg IR over the last 20:", sum(ir_hist[-20:]) / 20)


if __name__ == "__main__":
    main()
