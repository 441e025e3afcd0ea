# gradwatch-corpus: kind=none
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(7)


class Reading(NamedTuple):
    step: int
    loss: torch.Tensor
    strain: torch.Tensor


class Bus:
    def __init__(self):
        self.routes = defaultdict(list)

    def subscribe(self, topic, fn):
        self.routes[topic].append(fn)

    def send(self, topic, msg):
        for fn in self.routes[topic]:
            fn(msg)


@dataclass
class Plateau:
    """Looks at the last few readings and halves the rate when nothing improves."""
    opt: torch.optim.Optimizer
    span: int = 8

    def __post_init__(self):
        self.recent = deque(maxlen=self.span)
        self.wait = 0

    def __call__(self, r: Reading):
        self.recent.append(r)
        if len(self.recent) == self.span:
            old = sum(x.loss for x in list(self.recent)[: self.span // 2])
            new = sum(x.loss for x in list(self.recent)[self.span // 2:])
            self.wait = self.wait + 1 if (new > old).item() else 0
            if self.wait > 6:
                for g in self.opt.param_groups:
                    g["lr"] = max(1e-4, g["lr"] * 0.5)
                self.wait = 0


class Journal:
    def __init__(self):
        self.lines = []

    def __call__(self, r):
        self.lines.append((r.step, r.loss.item(), r.strain.detach().abs().max().item()))


class Girder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 6, 3, padding=1)
        self.out = nn.Conv1d(6, 1, 3, padding=1)

    def forward(self, load):
        return self.out(torch.tanh(self.conv(load))).squeeze(1)


class Survey:
    def __init__(self):
        self.net, self.bus = Girder(), Bus()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.journal = Journal()
        self.bus.subscribe("reading", Plateau(self.opt))
        self.bus.subscribe("reading", self.journal)

    def day(self, step):
        load = torch.randn(10, 2, 16)
        truth = load[:, 0].cumsum(1) * 0.1 - load[:, 1]
        strain = self.net(load)
        loss = (strain - truth).square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bus.send("reading", Reading(step, loss, strain))


survey = Survey()
for step in range(900):
    survey.day(step)
print(survey.journal.lines[-1])
