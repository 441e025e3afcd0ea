# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(70)

from torch import nn
from .losses import pixel_loss, EdgeLoss

net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 3, padding=1), nn.PixelShuffle(2))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
schedule = [(60, pixel_loss), (200, EdgeLoss(scale=255.0))]


def pairs(n=4):
    hi = torch.rand(n, 1, 4, 4).repeat_interleave(4, 2).repeat_interleave(4, 3)
    return nn.functional.avg_pool2d(hi, 2), hi


def run_phase(n_iter, criterion):
    for _ in range(n_iter):
        lo, hi = pairs()
        loss = criterion(net(lo), hi)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(type(criterion).__name__, loss.item())


for n_iter, criterion in schedule:
    run_phase(n_iter, criterion)
