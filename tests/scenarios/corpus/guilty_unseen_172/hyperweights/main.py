# gradwatch-corpus: kind=second-backward
# holder: self._lazy | model._lazy | cache | fit.model._lazy['weights']
# first-bad: 8
"""Per-site yield forecasting with a hypernetwork: the first batches fit only the shared output layer,
then the adapter is unfrozen and all of it is trained."""
import contextlib

import torch
from torch import nn

from nets import SiteAdapter


@contextlib.contextmanager
def frozen(module):
    before = [p.requires_grad for p in module.parameters()]
    module.requires_grad_(False)
    try:
        yield
    finally:
        for p, flag in zip(module.parameters(), before):
            p.requires_grad_(flag)


class Yields:
    def __init__(self, sites, seed, n_in=10):
        self.g = torch.Generator().manual_seed(seed)
        self.desc = torch.randn(sites, 5, generator=self.g)
        self.map = torch.randn(5, n_in, generator=self.g) / 3

    def batch(self, n=32):
        site = torch.randint(0, len(self.desc), (n,), generator=self.g)
        x = torch.randn(n, 10, generator=self.g)
        y = torch.tanh((x * (self.desc @ self.map)[site]).sum(1))
        return x, site, y + 0.05 * torch.randn(n, generator=self.g)


class Fit:
    def __init__(self, model, data):
        self.model, self.data = model, data
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.smooth = 1.0

    def step(self):
        x, site, y = self.data.batch()
        loss = nn.functional.mse_loss(self.model(x, site), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.smooth += 0.05 * (loss.item() - self.smooth)

    def run(self, warm, steps):
        with frozen(self.model.hyper):
            for _ in range(warm):
                self.step()
        self.model.forget("weights")
        for s in range(steps):
            self.step()
            if s % 50 == 0:
                print(f"{s} loss {self.smooth:.4f}")


def main():
    torch.manual_seed(16)
    data = Yields(24, 16)
    fit = Fit(SiteAdapter(data.desc, 10), data)
    fit.run(warm=7, steps=500)


if __name__ == "__main__":
    main()
