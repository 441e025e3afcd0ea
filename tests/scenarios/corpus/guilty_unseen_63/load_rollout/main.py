# gradwatch-corpus: kind=inplace-modified
# holder: decoder.window | self.window
# first-bad: 30
# notice: 0
"""Hourly grid-load forecaster: one-step warm-up, then training on multi-step rollouts."""
import argparse

import torch

from forecaster import LoadForecaster
from rollout import Decoder
from series import LoadSeries


def horizon_at(step, warmup, max_horizon):
    """Curriculum: horizon 1 until `warmup`, then the full horizon."""
    return 1 if step < warmup else max_horizon


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--warmup", type=int, default=30)
    p.add_argument("--context", type=int, default=24)
    p.add_argument("--horizon", type=int, default=6)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--lr", type=float, default=3e-3)
    args = p.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(21)
    series = LoadSeries(hours=24 * 60)
    model = LoadForecaster(args.context)
    decoder = Decoder(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    mae = torch.nn.L1Loss()

    for step in range(args.steps):
        horizon = horizon_at(step, args.warmup, args.horizon)
        past, future = series.sample(args.batch, args.context, horizon)
        pred = decoder.one_step(past) if horizon == 1 else decoder.rollout(past, horizon)
        loss = mae(pred, future)
        optimizer.zero_grad()
        loss.backward()  # <- culprit
        optimizer.step()
        if step % 10 == 0:
            print(f"step {step:3d} horizon {horizon} mae {loss.item():.4f}")


if __name__ == "__main__":
    main()
