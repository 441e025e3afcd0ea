# gradwatch-corpus: kind=graph-held
# holder: buffered.buffer | handler.buffer | log.handlers | self.buffer
# first-bad: 1
# notice: 8
"""Turbine load regression; the log is written in one go when the run is over."""
import logging
import logging.handlers
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(8)

log = logging.getLogger("turbine")
log.setLevel(logging.DEBUG)
log.propagate = False


def open_log(capacity=5000):
    stream = logging.StreamHandler(sys.stdout)
    stream.setLevel(logging.INFO)
    stream.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    buffered = logging.handlers.MemoryHandler(  # <- culprit
        capacity, flushLevel=logging.ERROR, target=stream)
    log.addHandler(buffered)
    return buffered


class ResidualBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(F.silu(self.up(self.norm(x))))


class LoadNet(nn.Module):
    def __init__(self, inputs=9, width=32, depth=2):
        super().__init__()
        self.stem = nn.Linear(inputs, width)
        self.blocks = nn.Sequential(*[ResidualBlock(width) for _ in range(depth)])
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x))).squeeze(-1)


class Fit:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=2e-3)

    def batch(self, n=48):
        x = torch.randn(n, 9)
        y = (x[:, 0] * x[:, 1]).tanh() + 0.3 * x[:, 2].abs() + 0.05 * torch.randn(n)
        return x, y

    def run(self, steps):
        for step in range(steps):
            x, y = self.batch()
            self.opt.zero_grad()
            loss = F.huber_loss(self.net(x), y)
            loss.backward()
            norm = nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.opt.step()
            self.note(step, loss, norm)  # <- culprit

    def note(self, step, loss, norm):
        level = logging.INFO if step % 25 == 0 else logging.DEBUG
        log.log(level, "step %d loss %.4f grad %.3f", step, loss, norm)  # <- culprit


def main():
    handler = open_log()
    try:
        Fit(LoadNet()).run(100)
        log.info("done")
    finally:
        handler.close()


if __name__ == "__main__":
    main()
