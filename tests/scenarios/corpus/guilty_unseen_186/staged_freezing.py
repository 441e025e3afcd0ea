# gradwatch-corpus: kind=crashed
# first-bad: 240
"""Progressive freezing: blocks are frozen from the bottom up as training goes on."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class FreezeSchedule:
    first: int = 60
    every: int = 60


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc1, self.fc2 = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.fc2(F.silu(self.fc1(self.norm(x))))


class ResMLP(nn.Module):
    def __init__(self, inp=16, width=24, depth=2, classes=3):
        super().__init__()
        self.stages = nn.ModuleList(
            [nn.Linear(inp, width), *(Block(width) for _ in range(depth)), nn.Linear(width, classes)])

    def forward(self, x):
        for stage in self.stages:
            x = stage(x)
        return x


class Hook:
    def before_step(self, loop):
        pass

    def after_step(self, loop):
        pass


class FreezeHook(Hook):
    """After `first` steps freeze one more stage every `every` steps."""

    def __init__(self, schedule):
        self.schedule = schedule
        self.level = 0

    def target_level(self, step):
        if step < self.schedule.first:
            return 0
        return 1 + (step - self.schedule.first) // self.schedule.every

    def before_step(self, loop):
        level = self.target_level(loop.step)
        if level != self.level:
            self.level = level
            freeze_below(loop.model, level)
            print(f"[{loop.step}] frozen {level} of {len(loop.model.stages)} stages", flush=True)


def freeze_below(model, level):
    for stage in model.stages[:level]:
        for p in stage.parameters():
            p.requires_grad_(False)  # <- culprit


class LogHook(Hook):
    def after_step(self, loop):
        if loop.step % 40 == 0:
            print(f"[{loop.step}] loss {loop.last:.4f}", flush=True)


class Loop:
    def __init__(self, model, hooks, lr=1e-2):
        self.model, self.hooks = model, hooks
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.step, self.last = 0, float("nan")

    def run(self, data, max_steps):
        for self.step, (x, y) in zip(range(max_steps), data):
            for h in self.hooks:
                h.before_step(self)
            loss = F.cross_entropy(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.last = loss.item()
            for h in self.hooks:
                h.after_step(self)


def spirals(seed=19):
    g = torch.Generator().manual_seed(seed)
    lift = torch.randn(2, 16, generator=g)
    while True:
        y = torch.randint(0, 3, (32,), generator=g)
        r = torch.rand(32, generator=g)
        a = 4 * r + y * 2.1
        xy = torch.stack([r * a.cos(), r * a.sin()], 1)
        yield xy @ lift + 0.02 * torch.randn(32, 16, generator=g), y


if __name__ == "__main__":
    torch.manual_seed(0)
    Loop(ResMLP(), [FreezeHook(FreezeSchedule()), LogHook()]).run(spirals(), 500)
