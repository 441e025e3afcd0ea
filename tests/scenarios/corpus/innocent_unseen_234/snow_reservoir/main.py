# gradwatch-corpus: kind=none
"""Degree-day snow model calibrated on consecutive fortnights of a long record."""
import torch

from basin import SnowBasin
from record import GaugeRecord
from trainer import SequentialCalibration


def main():
    torch.manual_seed(61)
    record = GaugeRecord(days=1680, seed=2)
    basin = SnowBasin()
    fit = SequentialCalibration(basin, record, chunk=14, lr=0.02)
    fit.run()
    for year, nse in fit.yearly_scores():
        print(f"year {year}  mse {nse:.4f}")
    print({k: round(v, 3) for k, v in basin.summary().items()})


if __name__ == "__main__":
    main()
