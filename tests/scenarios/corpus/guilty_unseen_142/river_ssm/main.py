# gradwatch-corpus: kind=graph-chain
# holder: level | self.level | reservoir.level | catchment.level
# first-bad: 1
# notice: 5
"""Identify a two-store rainfall-runoff model online."""
import torch
torch.set_num_threads(1)
from model import Catchment
from fit import descend
from rain import hourly


def main():
    torch.manual_seed(13)
    catchment = Catchment()
    for k, (rain, flow) in enumerate(hourly(chunks=260, length=4)):
        err = (catchment.run(rain) - flow).pow(2).mean()
        catchment.theta = descend(err, catchment.theta, lr=0.02)
        if k % 40 == 0:
            print(k, f"{err.item():.5f}", {n: round(v.item(), 3) for n, v in catchment.theta.items()})


if __name__ == "__main__":
    main()
