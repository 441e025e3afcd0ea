# gradwatch-corpus: kind=none
"""Forward hooks with statistics and a style/feature-matching loss on what a hook caught in this very step."""
import contextlib

import torch
from torch import nn


class Recorder(contextlib.ExitStack):
    def __init__(self, modules):
        super().__init__()
        self.now = {}
        self.stats = []
        for i, m in enumerate(modules):
            h = m.register_forward_hook(lambda mod, inp, out, i=i: self.keep(i, out))
            self.callback(h.remove)

    def keep(self, i, out):
        self.now[i] = out
        d = out.detach()
        self.stats.append((i, d.mean().item(), d.std().item()))

    def penalty(self):
        return sum(o.pow(2).mean() for o in self.now.values())


torch.manual_seed(3)
net = nn.Sequential(nn.Linear(25, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
with Recorder([net[1], net[3]]) as rec:
    for k in range(260):
        x = torch.randn(128, 25)
        loss = nn.functional.cross_entropy(net(x), (x[:, 0] > 0).long()) + 1e-3 * rec.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if k % 65 == 0:
            print(k, loss.item(), rec.stats[-1])
