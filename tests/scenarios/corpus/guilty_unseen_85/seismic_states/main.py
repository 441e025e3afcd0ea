# gradwatch-corpus: kind=graph-chain
# holder: picker.trend | model.trend | self.trend | self.model.trend | session.model.trend
# first-bad: 1
# notice: 5
"""Continuous arrival picking on a synthetic three-component seismogram."""
import torch

from seis.model import Picker
from seis.stream import Stream
from seis.train import Session, PlainSGD

torch.set_num_threads(1)
torch.manual_seed(511)


def main():
    stream = Stream(stations=6, seconds=4000, seed=3)
    picker = Picker(channels=3, hidden=12)
    session = Session(picker, PlainSGD(picker.parameters(), lr=0.03), window=4)
    for n, loss in enumerate(session.run(stream, max_windows=140)):
        if (n + 1) % 35 == 0:
            print(f"window {n + 1}: nll {loss:.4f}  trend {picker.trend.mean().item():+.3f}")


if __name__ == "__main__":
    main()
