# gradwatch-corpus: kind=none
"""Sparse GP regression with a cached Cholesky factor."""
import functools
import weakref

import torch
from torch import nn


class StepCache:
    """Memoises methods without arguments."""

    def __init__(self):
        self.values = {}
        self.hits = 0

    def __call__(self, fn):
        @functools.wraps(fn)
        def wrapped(obj):
            key = (id(obj), fn.__name__)
            if key in self.values:
                self.hits += 1
            else:
                self.values[key] = fn(obj)
            return self.values[key]
        return wrapped

    def invalidate(self):
        self.values = {}


cache = StepCache()


class SparseGP(nn.Module):
    def __init__(self, inducing):
        super().__init__()
        m = len(inducing)
        self.z = nn.Parameter(inducing.clone())
        self.log_scale = nn.Parameter(torch.zeros(()))
        self.log_noise = nn.Parameter(torch.tensor(-1.0))
        self.mean = nn.Parameter(torch.zeros(m, 1))

    def kernel(self, a, b):
        return torch.exp(-0.5 * ((a - b.t()) / self.log_scale.exp()).pow(2))

    @cache
    def factor(self):
        k = self.kernel(self.z, self.z) + 1e-3 * torch.eye(len(self.z))
        return torch.linalg.cholesky(k)

    def predict(self, x):
        a = torch.cholesky_solve(self.mean, self.factor())
        return self.kernel(x, self.z) @ a

    def prior(self):
        v = torch.linalg.solve_triangular(self.factor(), self.mean, upper=False)
        return 0.5 * v.pow(2).sum() + self.factor().diagonal().log().sum()

    def nll(self, x, y):
        r = y - self.predict(x)
        return (0.5 * (r / self.log_noise.exp()).pow(2) + self.log_noise).mean()


def main(iters=450):
    torch.manual_seed(61)
    x = torch.rand(300, 1) * 6 - 3
    y = torch.sin(2 * x) + 0.2 * x + 0.1 * torch.randn_like(x)
    gp = SparseGP(torch.linspace(-3, 3, 10)[:, None])
    opt = torch.optim.Adam(gp.parameters(), lr=2e-2)
    trace, seen = [], weakref.WeakSet()
    for it in range(iters):
        idx = torch.randint(0, 300, (40,))
        loss = gp.nll(x[idx], y[idx]) + gp.prior() / 300
        opt.zero_grad()
        loss.backward()
        opt.step()
        cache.invalidate()
        trace.append((it, loss.detach()))
        seen.add(loss)
        if it % 75 == 0:
            with torch.no_grad():
                rmse = (gp.predict(x) - y).pow(2).mean().sqrt().item()
            cache.invalidate()
            print(f"{it} loss {trace[-1][1].item():.4f} rmse {rmse:.4f} hits {cache.hits} live {len(seen)}")


if __name__ == "__main__":
    main()
