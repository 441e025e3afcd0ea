# gradwatch-corpus: kind=graph-chain
# holder: self.A | self.B | tracker.A | tracker.B
# first-bad: 1
"""Direct reinforcement of a one-layer trading policy (differential Sharpe ratio)."""
import torch
import torch.nn as nn

LOOKBACK = 16
N_ASSETS = 6
COST = 5e-4


def simulate_returns(n, seed):
    g = torch.Generator().manual_seed(seed)
    eps = torch.randn(n, N_ASSETS, generator=g) * 0.01
    out = torch.zeros(n, N_ASSETS)
    for t in range(1, n):
        out[t] = 0.25 * out[t - 1] + eps[t] + 2e-4
    return out


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.signal = nn.Linear(LOOKBACK * N_ASSETS, N_ASSETS)

    def forward(self, window):
        z = window.reshape(window.size(0), -1) * 50.0
        return torch.tanh(self.signal(z))


class SharpeTracker:
    """Moody & Saffell's online first and second moments of the portfolio return."""

    def __init__(self, eta=0.04):
        self.eta = eta
        self.A = torch.tensor(0.0)
        self.B = torch.tensor(1e-4)

    @property
    def variance(self):
        return (self.B - self.A ** 2).clamp_min(1e-8)

    def blend(self, old, new):
        return old + self.eta * (new - old)  # <- culprit

    def differential(self, r):
        dA = r - self.A
        dB = r ** 2 - self.B
        return (self.B * dA - 0.5 * self.A * dB) / self.variance ** 1.5

    def update(self, r):
        self.A = self.blend(self.A, r)  # <- culprit
        self.B = self.blend(self.B, r ** 2)  # <- culprit


def day_batches(rets, batch):
    idx = torch.arange(LOOKBACK, rets.size(0))
    for chunk in idx.split(batch):
        windows = torch.stack([rets[i - LOOKBACK:i] for i in chunk.tolist()])
        yield windows, rets[chunk]


def run(seed=5):
    torch.manual_seed(seed)
    rets = simulate_returns(16 + 8 * 100, seed)
    policy = Policy()
    tracker = SharpeTracker()
    opt = torch.optim.SGD(policy.parameters(), lr=0.01)

    wealth = 1.0
    prev_pos = torch.zeros(N_ASSETS)
    for step, (win, nxt) in enumerate(day_batches(rets, 8)):
        pos = policy(win)
        lagged = torch.cat([prev_pos.unsqueeze(0), pos[:-1].detach()])
        pnl = (pos * nxt).mean(dim=1) - COST * (pos - lagged).abs().mean(dim=1)
        r = pnl.mean()

        objective = tracker.differential(r)
        tracker.update(r)  # <- culprit

        opt.zero_grad()
        (-objective).backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        opt.step()

        prev_pos = pos[-1].detach()
        wealth *= 1.0 + pnl.sum().item()
        if step % 25 == 0:
            ann = (tracker.A / tracker.variance.sqrt()).item() * 252 ** 0.5
            print(f"{step:4d}  wealth {wealth:.4f}  running sharpe {ann:6.2f}")
    print("final wealth", round(wealth, 4))


if __name__ == "__main__":
    run()
