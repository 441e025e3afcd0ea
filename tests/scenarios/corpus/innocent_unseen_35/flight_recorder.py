# gradwatch-corpus: kind=none
"""Beam deflection surrogate; the log records of the run stay in memory until it ends."""
import logging
import logging.handlers
import sys

import torch
from torch import nn

log = logging.getLogger("beam")


class Render(logging.Filter):
    """Writes the message out at once, so that a kept record has no arguments left."""

    def filter(self, record):
        record.msg = record.getMessage()
        record.args = None
        return True


def set_up(level="DEBUG"):
    out = logging.StreamHandler(sys.stdout)
    out.addFilter(lambda record: record.levelno >= logging.INFO)
    out.setFormatter(logging.Formatter("%(name)s %(message)s"))
    recorder = logging.handlers.MemoryHandler(100_000, flushLevel=logging.CRITICAL, target=out)
    recorder.addFilter(Render())
    log.addHandler(recorder)
    log.setLevel(level)
    log.propagate = False
    return recorder


class Surrogate(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 48), nn.GELU(), nn.Linear(48, 48), nn.GELU(), nn.Linear(48, 21))

    def forward(self, p):
        return self.net(p)


def deflection(p, grid):
    load, stiff, length, at = p.unbind(1)
    shape = torch.sin(3.1416 * grid[None] * (0.5 + length[:, None]))
    return load[:, None] * shape * torch.exp(-(grid[None] - at[:, None]) ** 2) / (0.5 + stiff[:, None])


def report(step, **values):
    level = logging.INFO if step % 30 == 0 else logging.DEBUG
    log.log(level, "step %d: %s", step, values)


def main():
    torch.manual_seed(25)
    recorder = set_up()
    grid = torch.linspace(0, 1, 21)
    model = Surrogate()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 5e-3, total_steps=100)
    for step in range(100):
        p = torch.rand(64, 4)
        curve = model(p)
        data = (curve - deflection(p, grid)).square().mean()
        bend = (curve[:, 2:] - 2 * curve[:, 1:-1] + curve[:, :-2]).square().mean()
        loss = data + 0.1 * bend
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        report(step, loss=loss, bend=bend)
    log.info("records kept: %d", len(recorder.buffer))
    recorder.close()


if __name__ == "__main__":
    main()
