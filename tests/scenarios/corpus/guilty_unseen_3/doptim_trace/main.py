# gradwatch-corpus: kind=graph-held
# holder: self.state["trace"] | opt.state["trace"] | trace
# first-bad: 1
"""Droplet contour fit: Fourier descriptors of many drops, with a line-search-free adaptive optimizer
that takes a closure (as L-BFGS does)."""
import torch

from contours import DropBatch, FourierShape
from steppers import Cautious

torch.manual_seed(8)
drops = DropBatch(24)
shape = FourierShape(drops=24, order=6)
opt = Cautious(shape.parameters(), lr=0.05)


def measure():
    opt.zero_grad()
    gap = (shape(drops.angles) - drops.radius()).abs().mean() + 1e-3 * shape.roughness()
    gap.backward()
    return gap


for i in range(300):
    now = opt.step(measure)
    if i % 60 == 0:
        print(f"it {i}: gap {now:.4f} pace {opt.pace():.4f}")
print("roughness", round(shape.roughness().item(), 4))
