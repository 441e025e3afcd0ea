# gradwatch-corpus: kind=graph-held
# holder: self.student_tap.seen | self.seen | tap.seen | tap.seen["mid"] | job.student_tap.seen
# first-bad: 1
# notice: 8
"""Hint-based distillation of a leaf-disease classifier."""
import torch

torch.set_num_threads(1)

from .distill import HintJob


if __name__ == "__main__":
    torch.manual_seed(77)
    job = HintJob(width_t=16, width_s=6, classes=4)
    for epoch in range(12):
        mean = job.epoch(batches=35)
    print("last epoch", mean)
