# gradwatch-corpus: kind=graph-held
# holder: sums | meter.gi_frame.f_locals["sums"] | meters["aux"] | sums["gap"]
# first-bad: 81
# notice: 8
import functools
import itertools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(64)


def primed(fn):
    @functools.wraps(fn)
    def start(*a, **k):
        g = fn(*a, **k)
        next(g)
        return g
    return start


@primed
def averaging(keys):
    sums = dict.fromkeys(keys, 0.0)
    n = 0
    while True:
        report = {k: float(v) / n for k, v in sums.items()} if n and n % 50 == 0 else None
        row = yield report
        n += 1
        for k in keys:
            sums[k] = sums[k] + row[k]  # <- culprit


class Stage:
    def __init__(self, name, steps, noise):
        self.name, self.steps, self.noise = name, steps, noise


class Curriculum:
    def __init__(self, stages):
        self.stages = stages

    def __iter__(self):
        for st in self.stages:
            for k in range(st.steps):
                yield st, k


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv1d(1, 6, 5, stride=2, padding=2)
        self.up = nn.ConvTranspose1d(6, 1, 4, stride=2, padding=1)

    def forward(self, w):
        return self.up(torch.tanh(self.down(w)))


class Bench:
    def __init__(self):
        self.net = Denoiser()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.meters = {"main": averaging(["mse"]), "aux": averaging(["gap"])}
        self.reports = []

    def tone(self):
        f = torch.randint(1, 5, (12, 1, 1)).float()
        return torch.sin(f * torch.linspace(0, 6.28, 32))

    def step(self, stage):
        clean = self.tone()
        out = self.net(clean + stage.noise * torch.randn_like(clean))
        mse = (out - clean).square().mean()
        loss = mse
        if stage.name != "easy":
            gap = (out[..., 1:] - out[..., :-1] - (clean[..., 1:] - clean[..., :-1])).abs().mean()
            loss = loss + 0.2 * gap
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        got = [self.meters["main"].send({"mse": mse.item()})]
        if stage.name != "easy":
            got.append(self.meters["aux"].send({"gap": gap}))
        self.reports.extend(r for r in got if r)


bench = Bench()
for stage, _ in Curriculum([Stage("easy", 80, 0.1), Stage("medium", 160, 0.3), Stage("hard", 160, 0.6)]):
    bench.step(stage)
print(*itertools.islice(reversed(bench.reports), 3))
