# gradwatch-corpus: kind=graph-chain
# holder: self.carry | model.carry | self.model.carry | forecaster.carry
# first-bad: 1
"""Stream-wise river discharge forecasting with a stateful GRU."""
import argparse
import logging

import torch
from torch import nn

log = logging.getLogger("river")


class StatefulMixin:
    """Keeps the recurrent state between consecutive windows of one record."""

    carry = None

    def reset_carry(self):
        self.carry = None

    def recall(self, batch_size, width):
        if self.carry is None or self.carry.size(1) != batch_size:
            return torch.zeros(1, batch_size, width)
        return self.carry  # <- culprit

    def remember(self, state):
        self.carry = state  # <- culprit


class DischargeNet(StatefulMixin, nn.Module):
    def __init__(self, n_gauges, width):
        super().__init__()
        self.width = width
        self.rnn = nn.GRU(n_gauges, width, batch_first=True)
        self.readout = nn.Linear(width, 1)

    def forward(self, window):
        h0 = self.recall(window.size(0), self.width)  # <- culprit
        seq, hn = self.rnn(window, h0)
        self.remember(hn)  # <- culprit
        return self.readout(seq).squeeze(-1)


class PlainMomentum(torch.optim.Optimizer):
    def __init__(self, params, lr=0.05, momentum=0.8):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("buf", torch.zeros_like(p.data))
                buf.mul_(group["momentum"]).add_(p.grad.data)
                p.data.add_(buf, alpha=-group["lr"])


def make_record(n_rivers, n_hours, n_gauges):
    t = torch.arange(n_hours, dtype=torch.float32)
    phase = torch.rand(n_rivers, 1) * 6.28
    flow = torch.sin(t / 17.0 + phase) + 0.4 * torch.sin(t / 5.0 - phase)
    gauges = torch.stack([flow.roll(k, dims=1) for k in range(n_gauges)], dim=-1)
    gauges = gauges + 0.05 * torch.randn_like(gauges)
    return gauges, flow.roll(-3, dims=1)


def windows(gauges, flow, length):
    for start in range(0, gauges.size(1) - length + 1, length):
        yield gauges[:, start:start + length], flow[:, start:start + length]


def fit(forecaster, gauges, flow, opts):
    optim = PlainMomentum(forecaster.parameters(), lr=opts.lr)
    criterion = nn.SmoothL1Loss()
    forecaster.reset_carry()
    for step, (x, y) in enumerate(windows(gauges, flow, opts.window)):
        optim.zero_grad()
        loss = criterion(forecaster(x), y)
        loss.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(forecaster.parameters(), 1.0)
        optim.step()
        if step % 20 == 0:
            log.info("window %3d  huber %.4f", step, loss.item())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rivers", type=int, default=8)
    ap.add_argument("--hours", type=int, default=420)
    ap.add_argument("--window", type=int, default=6)
    ap.add_argument("--lr", type=float, default=0.02)
    opts = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(11)
    gauges, flow = make_record(opts.rivers, opts.hours, n_gauges=4)
    fit(DischargeNet(4, 16), gauges, flow, opts)


if __name__ == "__main__":
    main()
