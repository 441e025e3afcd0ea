# gradwatch-corpus: kind=inplace-modified
# holder: self.keys | self.memory.keys | model.memory.keys | memory.keys
# first-bad: 26
# notice: 0
"""Bearing fault diagnosis from vibration features with an episodic key memory."""
import torch

from diagnosis import DiagnosisNet
from loop import run
from vibration import VibrationSource


def main():
    torch.manual_seed(8)
    torch.set_num_threads(1)
    source = VibrationSource(n_faults=5, width=24)
    model = DiagnosisNet(width=24, dim=16, slots=48, n_faults=5)
    run(model, source, steps=200, report=10)


if __name__ == "__main__":
    main()
