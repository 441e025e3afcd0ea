# gradwatch-corpus: kind=none
"""Electrode drift correction: the estimate must agree with the last 12 estimates of the same probe."""
from collections import deque

import torch
from torch import nn

torch.manual_seed(27)
torch.set_num_threads(1)


class Probe:
    def __init__(self, n=5):
        self.gain = torch.randn(n)
        self.t = 0

    def read(self):
        self.t += 1
        level = torch.sin(torch.tensor(self.t / 20.0))
        return self.gain * level + 0.3 * torch.randn(len(self.gain)), level


class DriftFilter:
    def __init__(self, n_in, span=12, weight=0.2):
        self.lin = nn.Linear(n_in, 1)
        self.recent = deque(maxlen=span)
        self.weight = weight
        self.opt = torch.optim.SGD(self.lin.parameters(), lr=0.03)

    def update(self, x, level):
        est = self.lin(x)
        loss = (est - level).square().sum()
        if self.recent:
            past = torch.cat(tuple(self.recent))
            loss = loss + self.weight * (past - est).square().mean()
        self.recent.append(est)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()


probe, filt = Probe(), DriftFilter(5)
avg = None
for i in range(200):
    value = filt.update(*probe.read())
    avg = value if avg is None else 0.96 * avg + 0.04 * value
    if i % 50 == 49:
        print(i, f"{avg:.4f}")
