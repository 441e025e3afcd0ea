# gradwatch-corpus: kind=graph-held
# holder: self.mean | self.m2 | trackers["drift"].mean | trackers["drift"].m2 | trackers["anomaly"].mean | trackers["anomaly"].m2 | trackers
# first-bad: 1
"""Toy emulator of sea-surface temperature on a lat-lon grid, with running skill maps."""
import argparse

import torch

from fields import OceanBox
from net import LatLonUNet
from skill import CellMoments


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=300)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=1850)
    return ap.parse_args()


def main(args):
    torch.manual_seed(args.seed)
    box = OceanBox(nlat=12, nlon=24)
    emu = LatLonUNet(channels=10)
    opt = torch.optim.Adam(emu.parameters(), lr=args.lr)
    trackers = {"drift": CellMoments((12, 24)), "anomaly": CellMoments((12, 24))}
    area = box.area_weights()
    for month in range(args.steps):
        now, nxt = box.sample(8)
        tendency = emu(now)
        guess = now + tendency
        err = (guess - nxt).squeeze(1)
        cost = (area * err.pow(2)).mean()
        opt.zero_grad()
        cost.backward()
        opt.step()
        trackers["drift"].push(err.mean(0))  # <- culprit
        trackers["anomaly"].push((guess - guess.mean((2, 3), keepdim=True)).squeeze(1).mean(0))  # <- culprit
        if (month + 1) % 60 == 0:
            bias, spread = trackers["drift"].summary()
            print(f"month {month + 1}: cost {cost.item():.4f} max bias {bias:.4f} spread {spread:.4f}")


if __name__ == "__main__":
    main(parse())
