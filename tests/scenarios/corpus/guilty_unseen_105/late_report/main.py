# gradwatch-corpus: kind=graph-held
# holder: self.lines | journal.lines | self.journal.lines | runner.journal.lines
# first-bad: 1
# notice: 8
"""Leaf-disease classifier on synthetic texture patches, with an end-of-run journal."""
import torch

from data import patches
from model import PatchNet
from runner import Runner

torch.set_num_threads(1)
torch.manual_seed(5)


def main():
    net = PatchNet(classes=5)
    runner = Runner(net, lr=2e-3)
    runner.fit(patches(steps=320, batch=20, classes=5))
    runner.finish()


if __name__ == "__main__":
    main()
