# gradwatch-corpus: kind=second-backward
# holder: drawn | fake
# first-bad: 0
# notice: 0
import torch

from duel import Duel
from nets import Artist, Judge

torch.set_num_threads(1)
torch.manual_seed(61)


def strokes(n):
    t = torch.rand(n, 1) * 3.14
    ramp = torch.linspace(0, 1, 16)
    return torch.tanh(torch.cos(t + 5 * ramp) * 2) + 0.05 * torch.randn(n, 16)


duel = Duel(Artist(4, 16), Judge(16))
for rnd in range(300):
    j, a = duel.round(strokes(16))
    if rnd % 60 == 0:
        print(rnd, j, a)
