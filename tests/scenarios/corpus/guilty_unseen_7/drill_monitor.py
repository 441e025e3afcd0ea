# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Rate-of-penetration model for a drilling rig. A shadow committee of older snapshots is asked on the live
batch at every step; where it disagrees with the live model the samples get more weight."""
import copy
from collections import deque
from contextlib import nullcontext
from functools import partial

import torch
from torch import nn

torch.manual_seed(71)


class RopNet(nn.Module):
    def __init__(self, sensors=9, width=56):
        super().__init__()
        self.gates = nn.Linear(sensors, width)
        self.body = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
        self.out = nn.Linear(width, 1)

    def forward(self, s):
        h = torch.tanh(self.gates(s))
        for layer in self.body:
            h = h + 0.5 * torch.tanh(layer(h))
        return self.out(h).squeeze(-1)


def committee_vote(members, sensors):
    votes = torch.stack([m(sensors) for m in members])  # <- culprit
    return votes.mean(0), votes.std(0, unbiased=False)


class Weigher:
    """Builds the vote function once for each committee; the weights come back as a plain tensor."""

    def __init__(self, quiet=True):
        self.scope = torch.no_grad if quiet else nullcontext
        self.vote = None

    def appoint(self, members):
        with self.scope():  # <- culprit
            self.vote = partial(committee_vote, tuple(members))

    def __call__(self, sensors, live):
        if self.vote is None:
            return torch.ones(len(sensors))
        mean, spread = self.vote(sensors)  # <- culprit
        off = (live.detach() - mean).abs() / (spread + 0.1)
        w = 1 + off.clamp(max=3)
        return (w / w.mean()).detach()


def rig(rows, gen, wear):
    s = torch.randn(rows, 9, generator=gen)
    hard = torch.sigmoid(s[:, 0] + 0.5 * s[:, 1])
    rop = 2.0 + s[:, 2] * (1 - hard) - wear * s[:, 3] ** 2 * 0.2 + torch.sin(s[:, 4])
    return s, rop + 0.1 * torch.randn(rows, generator=gen)


net, weigher = RopNet(), Weigher()
snapshots = deque([copy.deepcopy(net)], maxlen=3)
weigher.appoint(snapshots)
opt = torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.9, nesterov=True)
gen = torch.Generator().manual_seed(0)
smooth = None
for meter in range(380):
    sensors, rop = rig(64, gen, wear=meter / 380)
    live = net(sensors)
    weight = weigher(sensors, live)
    loss = (weight * (live - rop) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
    if meter % 40 == 39:
        snapshots.append(copy.deepcopy(net).eval())
        weigher.appoint(snapshots)
        print(f"{meter + 1:4d} m  weighted mse {smooth:.4f}  committee {len(snapshots)}  heaviest {weight.max().item():.2f}")
