# gradwatch-corpus: kind=graph-chain
# holder: ets.level | ets.trend | self.level | self.trend
# first-bad: 1
# notice: 5
import math
import torch
torch.set_num_threads(1)
from torch import nn

torch.manual_seed(77)
N_SKU = 12


class HoltLayer(nn.Module):
    """Holt's linear method, smoothing constants learned per product by gradient descent."""

    def __init__(self, n):
        super().__init__()
        self.raw_alpha = nn.Parameter(torch.zeros(n))
        self.raw_beta = nn.Parameter(torch.full((n,), -2.0))
        self.level = torch.zeros(n)
        self.trend = torch.zeros(n)

    def forward(self):
        return self.level + self.trend

    def observe(self, y):
        a, b = torch.sigmoid(self.raw_alpha), torch.sigmoid(self.raw_beta)
        prev = self.level
        self.level = a * y + (1 - a) * (self.level + self.trend)  # <- culprit
        self.trend = b * (self.level - prev) + (1 - b) * self.trend  # <- culprit


def demand_stream(weeks):
    base = 1 + torch.rand(N_SKU)
    slope = 0.01 * torch.randn(N_SKU)
    for w in range(weeks):
        yield base + slope * w + 0.2 * math.sin(w / 8) + 0.1 * torch.randn(N_SKU)


ets = HoltLayer(N_SKU)
opt = torch.optim.Adam(ets.parameters(), lr=0.01)
mae = 0.0
stream = demand_stream(262)
ets.observe(next(stream))
for week, y in enumerate(stream):
    loss = (ets() - y).pow(2).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    ets.observe(y)
    mae += loss.item() ** 0.5
    if week % 52 == 51:
        print(f"year {week // 52 + 1}: rmse {mae / 52:.3f}")
        mae = 0.0
