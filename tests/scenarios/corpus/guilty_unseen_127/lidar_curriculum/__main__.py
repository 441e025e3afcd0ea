# gradwatch-corpus: kind=crashed
# first-bad: 40
# notice: 0
import torch

from .chunked import Chunked
from .pointnet import PointNet, scans

torch.set_num_threads(1)
torch.manual_seed(3)


def schedule():
    for size in (4, 8, 16, 32):
        for _ in range(20):
            yield size


net = Chunked(PointNet(classes=3), limit=8)
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for step, size in enumerate(schedule()):
    cloud, kind = scans(size)
    loss = torch.nn.functional.cross_entropy(net(cloud), kind)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        print(step, size, round(loss.item(), 4))
