# gradwatch-corpus: kind=crashed
# first-bad: 24
# notice: 0
import random
import torch

torch.set_num_threads(1)
torch.manual_seed(13)
random.seed(13)

from .model import Seq2Seq
from .loop import Loop


def pairs():
    while True:
        src = torch.randint(1, 12, (8, 5))
        yield src, (src * 5) % 12


net = Seq2Seq(12, 20)
Loop(net, torch.optim.Adam(net.parameters(), lr=5e-3), teacher_forcing_ratio=0.93).run(pairs(), 400)
