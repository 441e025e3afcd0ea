# gradwatch-corpus: kind=graph-held
# holder: desk | run.desk | self.desk | desk._exit_callbacks | run.desk._exit_callbacks | self.desk._exit_callbacks
# first-bad: 1
"""Ship-arrival nowcasting at a container terminal: a small mixture-density head over berth features."""
from contextlib import ExitStack

import torch

from harbour import arrivals
from forecaster import Mixture
from voyage import Run


def main():
    torch.manual_seed(140)
    model = Mixture(inputs=18, parts=4)
    with ExitStack() as desk:
        run = Run(model, desk, csv_name="terms")
        for leg, batch in enumerate(arrivals(legs=310, size=80)):
            run.advance(leg, batch)
        print("legs sailed:", run.legs)
    print("table rows:", len(run.table))
    print("last row:", run.table[0])


if __name__ == "__main__":
    main()
