# gradwatch-corpus: kind=graph-held
# holder: self.rejected | self.journal.rejected | journal.rejected | runner.journal.rejected | err | err.residual | self.residual
# first-bad: 3
# notice: 8
"""Invert temperature logs of geothermal boreholes for layer conductivities."""
from survey import Survey
from runner import Runner

import torch


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2718)
    survey = Survey(n_layers=10, depth_points=40, seed=9)
    runner = Runner(survey, lr=5e-3)
    runner.run(passes=30, logs_per_pass=12)
    runner.summary()


if __name__ == "__main__":
    main()
