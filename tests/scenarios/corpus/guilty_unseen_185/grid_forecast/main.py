# gradwatch-corpus: kind=graph-held
# holder: self._rows[tag] | self._rows | forecasts._rows
# first-bad: 1
# notice: 100
"""Day-ahead load forecasting with quantile heads."""
import torch
import torch.nn as nn

from series import LoadSeries
from ttl import TTLStore


class QuantileMLP(nn.Module):
    def __init__(self, context, quantiles):
        super().__init__()
        self.register_buffer("q", torch.tensor(quantiles))
        self.net = nn.Sequential(
            nn.Linear(context, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, len(quantiles))
        )

    def forward(self, x):
        return self.net(x)

    def pinball(self, pred, y):
        err = y[:, None] - pred
        return torch.maximum(self.q * err, (self.q - 1) * err).mean()


def spread(forecasts):
    recent = forecasts.fresh()
    if not recent:
        return 0.0
    last = recent[-1].detach()
    return (last[:, -1] - last[:, 0]).mean().item()


def run(steps=500):
    torch.manual_seed(3)
    series = LoadSeries(context=48, seed=9)
    model = QuantileMLP(48, [0.1, 0.5, 0.9])
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    forecasts = TTLStore(ttl_ms=40)

    for hour in range(steps):
        x, y = series.batch(hour, 32)
        pred = model(x)
        loss = model.pinball(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()

        forecasts.put(("h", hour), pred)
        if hour % 100 == 99:
            print(f"hour {hour + 1}: pinball {loss.item():.4f} spread {spread(forecasts):.3f}")


if __name__ == "__main__":
    run()
