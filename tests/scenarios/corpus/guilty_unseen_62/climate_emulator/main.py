# gradwatch-corpus: kind=inplace-modified
# holder: self.std | model.scaler.std
# first-bad: 4
# notice: 0
"""Train the ring emulator on a synthetic three-variable climate."""
import argparse

import torch

from emulator import Emulator

UNITS = torch.tensor([12.0, 4.0, 0.8])      # temperature, wind, humidity
OFFSET = torch.tensor([280.0, 0.0, 5.0])


class ToyClimate:
    """Advection and relaxation on a ring, integrated once per call."""

    def __init__(self, cells=32, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.cells = cells

    def sample(self, batch):
        k = torch.arange(1, 4)[None, :, None, None]
        lon = torch.linspace(0, 2 * torch.pi, self.cells + 1)[:-1][None, None, :, None]
        phase = 2 * torch.pi * torch.rand(batch, 3, 1, 3, generator=self.g)
        anomaly = (torch.sin(k * lon + phase) / k).sum(1)
        after = 0.95 * anomaly.roll(1, dims=1) + 0.05 * anomaly.flip(-1)
        return anomaly * UNITS + OFFSET, after * UNITS + OFFSET


def skill(pred, truth):
    """Squared error in units of each variable's climatological spread."""
    return ((pred - truth) / UNITS).square().mean()


def train(args):
    climate = ToyClimate(seed=args.seed)
    model = Emulator()
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    spin_up, _ = climate.sample(64)
    flat = spin_up.reshape(-1, 3)
    model.scaler.mean.copy_(flat.mean(0))
    model.scaler.std.copy_(flat.std(0))

    for step in range(args.steps):
        now, later = climate.sample(args.batch)
        pred = model(now)
        loss = skill(pred, later)
        if (step + 1) % args.recalibrate_every == 0:
            model.scaler.recalibrate(now)  # <- culprit
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step:3d}  scaled mse {loss.item():.4f}")
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--recalibrate-every", type=int, default=5)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    train(args)


if __name__ == "__main__":
    main()
