# gradwatch-corpus: kind=second-backward
# holder: self.belief | tracker.belief | belief | self.belief.hidden | belief.hidden | tracker.belief.hidden | belief.mean
# first-bad: 7
# notice: 0
"""Learned filter for the shuttlecock: position from noisy detections, rally by rally."""
import torch

from rallies import Rallies
from runner import Runner
from filters import build

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(21)
    runner = Runner(build("gru", dim=20), window=8)
    runner.play(Rallies(seed=4).stream(40))
    print("frames seen", runner.frames)
