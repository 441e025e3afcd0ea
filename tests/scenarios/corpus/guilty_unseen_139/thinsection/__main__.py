# gradwatch-corpus: kind=inplace-modified
# holder: probs | self.prob | prob
# first-bad: 39
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(53)

from .data import sections
from .net import GrainNet

net = GrainNet(classes=4)
opt = torch.optim.NAdam(net.parameters(), lr=5e-3)
seen = 0
for tiles, mineral in sections(300):
    loss = net.loss(tiles, mineral)
    opt.zero_grad()
    loss.backward()
    opt.step()
    seen += len(tiles)
    if seen % 500 == 0:
        print(seen, round(loss.item(), 3))
