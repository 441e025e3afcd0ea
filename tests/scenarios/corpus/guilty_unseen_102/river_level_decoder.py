# gradwatch-corpus: kind=inplace-modified
# holder: series | window
# first-bad: 80
# notice: 0
"""River level forecasting, autoregressive decoder with scheduled sampling."""
import argparse
import random

import torch
from torch import nn


def gauge(n, seed=0):
    g = torch.Generator().manual_seed(seed)
    rain = torch.relu(torch.randn(n, generator=g) - 0.8)
    level = torch.zeros(n)
    for t in range(1, n):
        level[t] = 0.92 * level[t - 1] + 0.5 * rain[t - 1]
    return torch.stack([level, rain], dim=1)


class Decoder(nn.Module):
    """Predicts the level of the next hour from the K hours before it."""

    def __init__(self, k, hidden=32):
        super().__init__()
        self.k = k
        self.body = nn.Sequential(
            nn.Linear(2 * k, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, window):
        return self.body(window.flatten(1)).squeeze(-1)


def roll_out(model, series, horizon, p_teacher, rng):
    """series: (B, k + horizon, 2); levels in the horizon may be replaced by forecasts."""
    outs = []
    for h in range(horizon):
        window = series[:, h:h + model.k]
        pred = model(window)
        outs.append(pred)
        if rng.random() > p_teacher:
            series[:, h + model.k, 0] = pred.detach()  # <- culprit
    return torch.stack(outs, dim=1)


def teacher_prob(step, warmup, decay):
    if step < warmup:
        return 1.0
    return max(0.2, 0.5 - decay * (step - warmup))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=240)
    ap.add_argument("--k", type=int, default=8)
    ap.add_argument("--horizon", type=int, default=6)
    ap.add_argument("--warmup", type=int, default=80)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(3)
    rng = random.Random(3)
    data = gauge(2000)
    model = Decoder(args.k)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)

    for step in range(args.steps):
        starts = torch.randint(0, len(data) - args.k - args.horizon, (24,)).tolist()
        series = torch.stack([data[s:s + args.k + args.horizon] for s in starts])
        target = series[:, args.k:, 0].clone()
        pred = roll_out(model, series, args.horizon, teacher_prob(step, args.warmup, 0.002), rng)
        loss = (pred - target).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"{step:4d} mse {loss.item():.4f}")


if __name__ == "__main__":
    main()
