# gradwatch-corpus: kind=second-backward
# holder: self.mems | runner.mems | mems | self.runner.mems
# first-bad: 1
import torch

from model import XLModel
from runner import SegmentRunner
from text import segments

if __name__ == "__main__":
    torch.manual_seed(1)
    runner = SegmentRunner(XLModel(vocab=40, d=32, layers=2, mem_len=24), lr=2e-3)
    for i, (x, y) in enumerate(segments(vocab=40, bs=6, seg=12, n=100)):
        loss = runner.train_segment(x, y)
        if i % 20 == 0:
            print(i, round(loss, 4))
