# gradwatch-corpus: kind=none
"""Feature distillation by forward hooks; weight snapshots for a trajectory plot."""
import torch

from distill.attach import Tap
from distill.feed import feed
from distill.nets import student, teacher
from distill.stages import Pipeline
from distill.terms import FeatureTerm, LabelTerm, SoftTerm
from distill.trail import Trail


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1234)
    big, small = teacher(10, 4), student(10, 4)
    pipeline = Pipeline(
        big, small,
        taps=(Tap(big, ["1", "3"]), Tap(small, ["1"])),
        terms=[LabelTerm(1.0), SoftTerm(0.5, temperature=2.0), FeatureTerm(0.3, pair=("3", "1"), widths=(32, 12))],
        trail=Trail(every=2),
    )
    pipeline.run(feed(10, 4, 32), 330)
    print("snapshots", len(pipeline.trail), "path length %.3f" % pipeline.trail.length())


if __name__ == "__main__":
    main()
