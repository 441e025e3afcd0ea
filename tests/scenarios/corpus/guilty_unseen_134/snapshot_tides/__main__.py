# gradwatch-corpus: kind=memory-climb
# holder: self.shelf | averager.shelf | fit.averager.shelf | self.averager.shelf
# first-bad: 1
# notice: 60
"""Tide-gauge regression with weight averaging over the training path."""
import torch

torch.set_num_threads(1)

from .fit import TideFit

torch.manual_seed(1)
fit = TideFit(hidden=160)
fit.run(steps=420)
print("averaged", fit.evaluate(), "kept", len(fit.averager.shelf))
