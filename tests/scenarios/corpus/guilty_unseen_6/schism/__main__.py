# gradwatch-corpus: kind=graph-held
# holder: self.absent | council.absent
# first-bad: 130
"""Federated averaging over clinics with very unlike patients.   python -m schism"""
import torch
from torch import nn

from .clinic import Clinic
from .council import Council


def main():
    torch.manual_seed(41)
    clinics = [Clinic(i, seed=100 + i, tilt=0.1 * i) for i in range(8)]
    council = Council(nn.Sequential(nn.Linear(10, 24), nn.GELU(), nn.Linear(24, 24), nn.GELU(), nn.Linear(24, 2)), clinics)
    for season in range(45):
        present = council.convene(season, invited=4)
        if season % 6 == 0:
            print(f"season {season:2d} present {present}/4 common loss {council.appraise():.4f}", flush=True)
    print("left early:", council.minutes())


if __name__ == "__main__":
    main()
