# gradwatch-corpus: kind=memory-climb
# holder: octave | crops.octave | octave.cache | functools.lru_cache
"""Slope estimation on procedural terrain."""
import torch
from torch import nn

from .crops import CropSource
from .net import SlopeNet

SIZE, BATCH, STEPS = 44, 36, 170


def fit(net, source, steps):
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    smoothed = None
    for step in range(steps):
        heights, slope = source.batch(step)
        pred = net(heights)
        loss = nn.functional.smooth_l1_loss(pred, slope)
        opt.zero_grad()
        loss.backward()
        opt.step()
        value = loss.item()
        smoothed = value if smoothed is None else 0.95 * smoothed + 0.05 * value
        if step % 60 == 59:
            print(f"step {step + 1:4d} loss {smoothed:.4f}")
    return smoothed


def main():
    torch.manual_seed(8)
    torch.set_num_threads(1)
    net = SlopeNet()
    final = fit(net, CropSource(SIZE, BATCH, seed=8), STEPS)
    print("final", round(final, 4))


main()
