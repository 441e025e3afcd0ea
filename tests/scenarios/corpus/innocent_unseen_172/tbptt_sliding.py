# gradwatch-corpus: kind=none
"""Sliding-window truncated BPTT on a noisy oscillator stream: each loss is pushed back K2 steps
through a ring of (state_in, state_out) pairs, and the weights move once every BLOCK ticks."""
import math
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn

K2 = 4
BLOCK = 6


@dataclass
class Link:
    entry: torch.Tensor
    exit: torch.Tensor


class Cell(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.rnn = nn.GRUCell(n_in, hidden)
        self.out = nn.Linear(hidden, n_in)

    def forward(self, x, h):
        h = self.rnn(x, h)
        return self.out(h), h


def oscillator(batch, seed):
    gen = torch.Generator().manual_seed(seed)
    phase = torch.rand(batch, 1, generator=gen) * 2 * math.pi
    freq = 0.1 + 0.3 * torch.rand(batch, 1, generator=gen)
    while True:
        phase = (phase + freq) % (2 * math.pi)
        yield torch.cat([phase.sin(), phase.cos()], 1) + 0.02 * torch.randn(batch, 2, generator=gen)


class SlidingTBPTT:
    def __init__(self, cell, optimizer, batch, hidden):
        self.cell, self.optimizer = cell, optimizer
        self.links = deque(maxlen=K2)
        self.carry = torch.zeros(batch, hidden)
        self.smooth = None

    def tick(self, x, target):
        entry = self.carry.detach().requires_grad_()
        pred, out = self.cell(x, entry)
        self.links.append(Link(entry, out))
        self.carry = out
        loss = nn.functional.mse_loss(pred, target)
        for link in self.links:
            link.entry.grad = None
        loss.backward(retain_graph=True)
        chain = list(self.links)
        for newer, older in zip(reversed(chain), reversed(chain[:-1])):
            if newer.entry.grad is None:
                break
            older.exit.backward(newer.entry.grad, retain_graph=True)
        value = loss.item()
        self.smooth = value if self.smooth is None else 0.95 * self.smooth + 0.05 * value

    def commit(self):
        nn.utils.clip_grad_norm_(self.cell.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.links.clear()


def main(blocks=600, batch=8, hidden=16):
    torch.manual_seed(11)
    cell = Cell(2, hidden)
    trainer = SlidingTBPTT(cell, torch.optim.Adam(cell.parameters(), lr=3e-3), batch, hidden)
    stream = oscillator(batch, 5)
    x = next(stream)
    for b in range(blocks):
        for _ in range(BLOCK):
            nxt = next(stream)
            trainer.tick(x, nxt)
            x = nxt
        trainer.commit()
        if b % 100 == 0:
            print(f"block {b} smooth mse {trainer.smooth:.4f}")


if __name__ == "__main__":
    main()
