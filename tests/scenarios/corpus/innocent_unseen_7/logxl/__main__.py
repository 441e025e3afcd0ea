# gradwatch-corpus: kind=none
# about: sums the losses of three segments before one backward (graph open over several forwards) and carries a memory; the sum restarts after the step, the memory is cut at each step
"""python -m logxl : event prediction with segment memory and gradient accumulation in the loss."""
from itertools import islice

import torch
import torch.nn.functional as F

from .feed import segments
from .model import LogXL

ROWS, LENGTH, SPAN = 6, 12, 3


class Ledger:
    """Collects segment losses until the span is full."""

    def __init__(self, span):
        self.span, self.open, self.total = span, [], 0.0

    def add(self, loss):
        self.open.append(loss)
        self.total = self.total + loss / self.span
        return len(self.open) == self.span

    def close(self):
        whole, parts = self.total, [p.item() for p in self.open]
        self.open, self.total = [], 0.0
        return whole, parts


def main(updates=310):
    torch.manual_seed(15)
    net = LogXL()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    ledger, memory, done = Ledger(SPAN), net.blank(ROWS, LENGTH), 0
    for ids, nxt in islice(segments(ROWS, LENGTH), updates * SPAN):
        logits, memory = net(ids, memory)
        if not ledger.add(F.cross_entropy(logits.flatten(0, 1), nxt.flatten())):
            continue
        whole, parts = ledger.close()
        opt.zero_grad()
        whole.backward()
        opt.step()
        memory = tuple(m.detach() for m in memory)
        if done % 62 == 0:
            print(f"update {done:3d} nll {whole.item():.3f} segments {[round(p, 3) for p in parts]}")
        done += 1


if __name__ == "__main__":
    main()
