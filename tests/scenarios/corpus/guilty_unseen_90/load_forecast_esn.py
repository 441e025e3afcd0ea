# gradwatch-corpus: kind=graph-chain
# holder: carry.h | self.h | h
# first-bad: 61
# notice: 5
"""Streaming electricity-load forecast with a slow echo state network.

The recurrent weights are fixed; the input map and the readout are trained online on
short chunks of the stream.  During the washout every chunk starts from a cut state, later
the state is carried through until a day marker tells us the meter was reset.
"""
import argparse
from dataclasses import dataclass, field

import torch
from torch import nn


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--chunk", type=int, default=2)
    p.add_argument("--steps", type=int, default=260)
    p.add_argument("--washout", type=int, default=60)
    p.add_argument("--units", type=int, default=40)
    p.add_argument("--lr", type=float, default=2e-3)
    return p.parse_args()


@dataclass
class Carry:
    h: torch.Tensor
    day: int = 0
    seen: int = 0
    days: list = field(default_factory=list)

    def advance(self, h, n):
        self.h = h  # <- culprit
        self.seen += n

    def cut(self):
        self.h = self.h.detach()

    def new_day(self, day):
        """True when the meter restarted between the chunks."""
        if day < self.day:
            self.days.append(self.seen)
            self.day = day
            return True
        self.day = day
        return False


class EchoState(nn.Module):
    def __init__(self, inputs, units, rate=0.3, radius=0.85):
        super().__init__()
        w = torch.randn(units, units) * (torch.rand(units, units) < 0.2)
        w = w * (radius / torch.linalg.eigvals(w).abs().max())
        self.register_buffer("w", w)
        self.inp = nn.Linear(inputs, units)
        self.out = nn.Linear(units, 1)
        self.rate = rate

    def forward(self, x, h):
        preds = []
        for t in range(x.shape[0]):
            pre = h @ self.w + self.inp(x[t])
            h = (1 - self.rate) * h + self.rate * torch.tanh(pre)
            preds.append(self.out(h))
        return torch.stack(preds), h


def make_stream(length, meters):
    t = torch.arange(length, dtype=torch.float)[:, None]
    phase = torch.rand(meters) * 6.28
    load = torch.sin(t * 6.28 / 24 + phase) + 0.4 * torch.sin(t * 6.28 / 168 + 2 * phase)
    load = load + 0.1 * torch.randn(length, meters)
    hour = ((t % 24) / 24).expand(-1, meters)
    return torch.stack([load, hour], -1)


def train(args):
    meters = 8
    stream = make_stream(args.steps * args.chunk + 1, meters)
    net = EchoState(2, args.units)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    carry = Carry(h=torch.zeros(meters, args.units))
    ewma = None
    for step in range(args.steps):
        lo = step * args.chunk
        x = stream[lo:lo + args.chunk]
        y = stream[lo + 1:lo + 1 + args.chunk, :, :1]
        if step <= args.washout or carry.new_day(lo // 24):  # <- culprit
            carry.cut()
        pred, h = net(x, carry.h)
        loss = nn.functional.smooth_l1_loss(pred, y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        carry.advance(h, args.chunk)  # <- culprit
        ewma = loss.item() if ewma is None else 0.95 * ewma + 0.05 * loss.item()
        if step % 50 == 0:
            print(f"step {step} loss {ewma:.4f}")
    print("resets:", carry.days, "final", round(ewma, 4))


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(2024)
    train(parse())
