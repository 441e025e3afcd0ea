# gradwatch-corpus: kind=graph-held
# notice: 40
# holder: self.mean[name] | self.mean | swa.mean | swa.mean['down.weight']
# first-bad: 62
"""Monocular depth toy; reports raw vs. tail-averaged weights."""
import copy

import torch

from averaging import TailAverage
from net import DepthNet, scenes, silog

STEPS, START = 260, 60

if __name__ == "__main__":
    torch.manual_seed(6)
    g = torch.Generator().manual_seed(6)
    net = DepthNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    swa = TailAverage(net, START)
    for s in range(STEPS):
        rgb, gt = scenes(8, g)
        err = silog(net(rgb), gt)
        opt.zero_grad()
        err.backward()
        opt.step()
        swa.collect(s)
        if s % 65 == 0:
            print(f"{s:4d} silog {err.item():.4f}")
    twin = copy.deepcopy(DepthNet())
    twin.load_state_dict(swa.state_dict())
    with torch.no_grad():
        rgb, gt = scenes(64, g)
        print(f"raw {silog(net(rgb), gt):.4f}  averaged {silog(twin(rgb), gt):.4f}")
