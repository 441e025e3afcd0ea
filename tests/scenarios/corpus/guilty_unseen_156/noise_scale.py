# gradwatch-corpus: kind=graph-held
# holder: meter.norms | self.norms | self.meter.norms | meter
# first-bad: 1
# notice: 8
# also: retain-needless
"""Yield-curve regression with a gradient-noise meter (McCandlish et al. style) on the side."""
import collections
import statistics

import torch
import torch.nn as nn
import torch.nn.functional as F


class GradientMeter:
    def __init__(self, named_params):
        self.params = dict(named_params)
        self.norms = collections.defaultdict(list)

    def record(self):
        for name, p in self.params.items():
            if p.grad is None:
                continue
            self.norms[name].append(p.grad.norm())  # <- culprit

    def report(self, last=40):
        for name, series in self.norms.items():
            vals = [v.item() for v in series[-last:]]
            print(f"{name:>14s}  mean {statistics.fmean(vals):8.4f}  sd {statistics.pstdev(vals):8.4f}")


class NelsonSiegelNet(nn.Module):
    """Macro factors to level, slope and curvature; the curve is then read off."""

    def __init__(self, n_macro, maturities):
        super().__init__()
        self.hidden = nn.Linear(n_macro, 32)
        self.factors = nn.Linear(32, 3)
        self.log_decay = nn.Parameter(torch.tensor(-0.5))
        self.register_buffer("tau", maturities)

    def forward(self, macro):
        level, slope, curv = self.factors(F.silu(self.hidden(macro))).unbind(dim=-1)
        x = self.tau * self.log_decay.exp()
        load1 = (1 - torch.exp(-x)) / x
        load2 = load1 - torch.exp(-x)
        return level[:, None] + slope[:, None] * load1 + curv[:, None] * load2


def market(n, tau, g):
    macro = torch.randn(n, 6, generator=g)
    level = 3 + 0.5 * macro[:, :1]
    slope = -1 + 0.4 * macro[:, 1:2] - 0.2 * macro[:, 2:3]
    curve = level + slope * (1 - torch.exp(-0.6 * tau)) / (0.6 * tau)
    return macro, curve + 0.05 * torch.randn(curve.shape, generator=g)


torch.set_num_threads(1)
torch.manual_seed(0)
g = torch.Generator().manual_seed(0)

tau = torch.tensor([0.25, 0.5, 1, 2, 3, 5, 7, 10, 20, 30])
model = NelsonSiegelNet(6, tau)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
meter = GradientMeter(model.named_parameters())

for it in range(100):
    macro, curve = market(48, tau, g)
    loss = F.mse_loss(model(macro), curve)
    optimizer.zero_grad()
    loss.backward(create_graph=True)  # <- culprit
    meter.record()
    optimizer.step()
    if it % 25 == 0:
        print(f"{it:4d}  mse {loss.item():.4f}  decay {model.log_decay.exp().item():.3f}")

meter.report()
