# gradwatch-corpus: kind=graph-chain
# holder: self.storage | catchment.storage | run.catchment.storage
# first-bad: 1
"""Calibrate a two-store conceptual rainfall-runoff model event by event."""
import torch

from forcing import StormRecord
from stores import Catchment
from calibrate import CalibrationRun


def main():
    torch.manual_seed(1987)
    record = StormRecord(n_events=70, steps=10, seed=4)
    catchment = Catchment(quick0=0.4, slow0=0.03, split0=0.5)
    run = CalibrationRun(catchment, record, lr=0.02)
    run.go()
    for name, value in catchment.describe().items():
        print(f"{name:10s} {value:8.4f}")
    print("events used", len(run.history["rmse"]))
    print("last rmse", round(run.history["rmse"][-1], 4))


if __name__ == "__main__":
    main()
