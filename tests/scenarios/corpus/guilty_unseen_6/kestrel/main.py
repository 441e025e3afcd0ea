# gradwatch-corpus: kind=memory-climb
# holder: self.arrows | self.probe.arrows | coach.probe.arrows | probe.arrows
# first-bad: 2
"""Airspeed-controlled hover: behaviour cloning of a kestrel's wing tracks, with direction statistics of the gradient."""
import torch

from coach import Coach
from flight import WingNet, tracks


def main():
    torch.manual_seed(62)
    coach = Coach(WingNet(), lr=1e-3)
    for k, (past, nxt) in enumerate(tracks(n=320, rows=24)):
        report = coach.lesson(past, nxt)
        if k % 40 == 0:
            print(f"{k:4d}  error {report['error']:.4f}  turn {report['turn']:+.3f}  size {report['size']:.3f}")
    print("mean turn over the run %.4f" % coach.probe.mean_turn())


if __name__ == "__main__":
    main()
