# gradwatch-corpus: kind=none
"""Mean-teacher segmentation of weld seams, few labelled lines."""
import torch

from callbacks import History, ThresholdEMA
from student import MeanTeacher
from welds import labelled, unlabelled


def main():
    torch.manual_seed(31)
    torch.set_num_threads(1)
    mt = MeanTeacher(width=8, accumulate=2)
    mt.callbacks = [History(every=100), ThresholdEMA(start=0.6, rate=0.05)]
    for step in range(640):
        mt.train_step(step, labelled(4), unlabelled(8))
    print("optimizer steps:", mt.updates)


if __name__ == "__main__":
    main()
