# gradwatch-corpus: kind=graph-held
# holder: batch.features.grad | features.grad | self.features.grad
# first-bad: 1
# notice: 8
from contextlib import contextmanager
from dataclasses import dataclass

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(21)


@dataclass
class Batch:
    features: torch.Tensor  # price, promo, season, stock
    units: torch.Tensor

    @property
    def price_slope(self):
        return self.features.grad[:, 0]


def batches(n):
    for _ in range(n):
        f = torch.rand(24, 4)
        u = (2.0 - 1.5 * f[:, 0] + 0.6 * f[:, 1] * f[:, 2]).clamp(min=0)
        yield Batch(f, u)


@contextmanager
def sensitivities(batch):
    batch.features.requires_grad_(True)
    net.train()
    try:
        yield batch
    finally:
        net.eval()


net = nn.Sequential(nn.Linear(4, 14), nn.Tanh(), nn.Linear(14, 14), nn.Tanh(), nn.Linear(14, 1))
opt = torch.optim.Adam(net.parameters(), lr=4e-3)


def fit_step(batch, weight):
    with sensitivities(batch):
        sales = net(batch.features).squeeze(1)
        loss = (sales - batch.units).square().mean() + 0.01 * sales.mean()
        opt.zero_grad()
        loss.backward(create_graph=True)  # <- culprit
        upward = batch.price_slope.clamp(min=0).sum()
        (weight * upward).backward()
        opt.step()
        opt.zero_grad()
    return loss.item(), upward.item()


for i, b in enumerate(batches(400)):
    mse, upward = fit_step(b, weight=0.5)
    if i % 100 == 0:
        print(f"{i:4d} mse {mse:.4f} upward {upward:.5f}")
