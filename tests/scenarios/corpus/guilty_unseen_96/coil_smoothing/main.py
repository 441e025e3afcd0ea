# gradwatch-corpus: kind=second-backward
# holder: self.window | model.window | model.filter.window | self.filter.window | fitter.model.filter.window
# first-bad: 26
# notice: 0
"""Combine noisy receive coils into one line profile; the smoothing window is learned from step 25 on."""
import torch

from combine import CoilCombiner
from fit import Fitter, Plan
from phantom import Scanner


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    scanner = Scanner(coils=6, points=48, seed=2)
    fitter = Fitter(CoilCombiner(coils=6, points=48), Plan(steps=300, smooth_from=25))
    fitter.run(scanner)
    print(f"final error {fitter.history[-1]:.5f}, width {fitter.model.filter.log_width.exp().item():.2f}")


if __name__ == "__main__":
    main()
