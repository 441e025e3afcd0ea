# gradwatch-corpus: kind=graph-held
# holder: self._front | self._back | recorder._front | recorder._back | self.recorder._front | self.recorder._back | self._back[key] | self._front[key] | runner.recorder._front
# first-bad: 1
# notice: 8
"""Next-step forecaster for a power grid load; per-horizon error recorded on the side."""
import torch

from forecaster import HORIZONS, LoadNet
from loop import Runner
from recorder import Recorder

torch.set_num_threads(1)
torch.manual_seed(99)


def load_curve(n=4000):
    t = torch.arange(n, dtype=torch.float32)
    day = torch.sin(2 * torch.pi * t / 24)
    week = 0.5 * torch.cos(2 * torch.pi * t / 168)
    return day + week + 0.15 * torch.randn(n)


if __name__ == "__main__":
    runner = Runner(LoadNet(), load_curve(), Recorder(HORIZONS), record_every=4)
    for fold in range(4):
        runner.run_fold(fold, weeks=5, steps=24)
