# gradwatch-corpus: kind=graph-chain
# notice: 5
# holder: tracker.slow | self.slow | exp.tracker.slow | self.tracker.slow | self.slow[k] | tracker.slow[k]
# first-bad: 31
"""Semi-supervised polyp patches: supervised loss on few labels + consistency with a slow copy of the weights."""
import torch

from data import PatchStream
from experiment import Experiment, Settings


def main():
    torch.manual_seed(17)
    cfg = Settings(rounds=220, ramp_after=30, lr=2e-3)
    exp = Experiment(cfg, PatchStream(seed=3))
    exp.run()
    print("final pixel accuracy %.3f" % exp.score())


if __name__ == "__main__":
    main()
