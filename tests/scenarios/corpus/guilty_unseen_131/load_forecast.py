# gradwatch-corpus: kind=crashed
# holder: total
# first-bad: 0
# notice: 0
"""Multi horizon electricity load forecast (1h / 6h / 24h heads on one GRU)."""
import math
import torch
torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(5)
HORIZONS = (1, 6, 24)


def load_curve(hours=900):
    t = torch.arange(hours, dtype=torch.float32)
    return torch.sin(2 * math.pi * t / 24) + 0.3 * torch.sin(2 * math.pi * t / 168) + 0.05 * torch.randn(hours)


class Forecaster(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.heads = nn.ModuleDict({str(h): nn.Linear(hidden, 1) for h in HORIZONS})

    def forward(self, window):
        _, h = self.gru(window.unsqueeze(-1))
        return {int(k): head(h[-1]).squeeze(-1) for k, head in self.heads.items()}


def quantile_loss(pred, y, q=0.5):
    e = y - pred
    return torch.maximum(q * e, (q - 1) * e).mean()


def combined(preds, targets, weights):
    parts = []
    for h in HORIZONS:
        parts.append(weights[h] * quantile_loss(preds[h], targets[h]))
    total = torch.tensor(parts).sum()  # <- culprit
    return total


series = load_curve()
model = Forecaster()
optim = torch.optim.Adam(model.parameters(), lr=1e-2)
weights = {1: 1.0, 6: 0.7, 24: 0.4}

for step in range(400):
    start = torch.randint(0, len(series) - 48 - 24, (16,))
    window = torch.stack([series[s:s + 48] for s in start.tolist()])
    targets = {h: series[start + 47 + h] for h in HORIZONS}
    optim.zero_grad()
    loss = combined(model(window), targets, weights)
    loss.backward()
    optim.step()
    if step % 100 == 0:
        print(step, float(loss))
