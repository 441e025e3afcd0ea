# gradwatch-corpus: kind=none
# Lithology from borehole logs: a deep stack whose stages are recomputed in the backward pass.
from typing import Callable, Iterator

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(11)

STAGES: dict[str, Callable[..., nn.Module]] = {}


def stage(name):
    def add(fn):
        STAGES[name] = fn
        return fn

    return add


@stage("conv")
def conv(c=6, k=3):
    return nn.Sequential(nn.Conv1d(c, c, k, padding=k // 2), nn.GroupNorm(2, c), nn.GELU())


@stage("gate")
def gate(c=6):
    class Gate(nn.Module):
        def __init__(self):
            super().__init__()
            self.lin = nn.Conv1d(c, 2 * c, 1)

        def forward(self, x):
            a, b = self.lin(x).chunk(2, 1)
            return x + a * torch.sigmoid(b)

    return Gate()


class LogStack(nn.Module):
    def __init__(self, plan, tracks=3, classes=4):
        super().__init__()
        self.lift = nn.Conv1d(tracks, 6, 1)
        self.stages = nn.ModuleList(STAGES[name](**kw) for name, kw in plan)
        self.head = nn.Conv1d(6, classes, 1)
        self.taps = []

    def walk(self, x) -> Iterator[torch.Tensor]:
        for s in self.stages:
            x = checkpoint(s, x, use_reentrant=False)
            yield x

    def forward(self, logs):
        self.taps = list(self.walk(self.lift(logs)))
        return self.head(self.taps[-1])


def boreholes(n):
    for _ in range(n):
        rock = torch.randint(4, (6, 8)).repeat_interleave(4, 1)
        logs = torch.stack([rock.float(), (rock % 2).float(), (rock > 1).float()], 1)
        yield logs + 0.5 * torch.randn_like(logs), rock


net = LogStack([("conv", {}), ("gate", {}), ("conv", {"k": 5})])
opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
for n, (logs, rock) in enumerate(boreholes(410)):
    loss = nn.functional.cross_entropy(net(logs), rock)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if n % 82 == 0:
        print(n, round(loss.item(), 3), [round(t.detach().std().item(), 2) for t in net.taps])
