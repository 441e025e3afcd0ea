# gradwatch-corpus: kind=crashed
# holder: weights
# first-bad: 0
# notice: 0
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(8)
np.random.seed(8)

ASSETS = ["bonds", "stocks_eu", "stocks_us", "gold", "reit"]
DRIFT = np.array([0.0006, 0.0020, 0.0026, 0.0009, 0.0014])
VOL = np.array([0.002, 0.020, 0.022, 0.013, 0.016])


def simulate(weeks=520):
    common = np.random.randn(weeks, 1) * 0.6
    own = np.random.randn(weeks, len(ASSETS))
    return (DRIFT + VOL * (common + own)).astype(np.float32)


def to_simplex(v):
    """Euclidean projection, Duchi et al. 2008."""
    u = np.sort(v)[::-1]
    css = np.cumsum(u) - 1
    rho = np.nonzero(u - css / (np.arange(len(v)) + 1) > 0)[0][-1]
    return np.maximum(v - css[rho] / (rho + 1), 0)


def project_rows(raw):
    rows = [to_simplex(r) for r in raw.data.numpy()]  # <- culprit
    return torch.from_numpy(np.stack(rows))


class Allocator(torch.nn.Module):
    def __init__(self, look_back=8):
        super().__init__()
        k = len(ASSETS)
        self.gru = torch.nn.GRU(k, 10, batch_first=True)
        self.to_raw = torch.nn.Linear(10, k)

    def forward(self, past):
        _, h = self.gru(past * 50)
        return self.to_raw(h[-1])


def sharpe(r):
    return r.mean() / (r.std() + 1e-6)


returns = torch.from_numpy(simulate())
alloc = Allocator()
opt = torch.optim.RMSprop(alloc.parameters(), lr=1e-3)
best = -9.0
for it in range(400):
    start = torch.randint(0, len(returns) - 9, (32,))
    past = torch.stack([returns[s:s + 8] for s in start.tolist()])
    nxt = returns[start + 8]
    weights = project_rows(alloc(past))
    objective = -sharpe((weights * nxt).sum(1))
    opt.zero_grad()
    objective.backward()
    opt.step()
    best = max(best, -objective.item())
    if it % 50 == 0:
        print(it, round(best, 4))
