# gradwatch-corpus: kind=none
# about: TBPTT k1=2, k2=12 with retain_graph: one-step graphs are walked again by the next windows, twelve at most
"""Truncated BPTT with k1=2, k2=12 on a noisy adding stream: every k1 steps, walk back through the last k2 states."""
from collections import deque

import torch
from torch import nn

torch.manual_seed(17)
K1, K2, LANES, WIDTH = 2, 12, 24, 40


class Stream:
    def __init__(self):
        self.past = deque([torch.zeros(LANES, 1)] * 6, maxlen=6)

    def __iter__(self):
        return self

    def __next__(self):
        x = torch.randn(LANES, 1)
        self.past.append(x)
        return x, (self.past[0] + .5 * self.past[-2]).squeeze(1)


class TBPTT:
    """states holds pairs (detached entry, exit); the exits hang on their own one-step graphs only."""

    def __init__(self, cell, readout, k1, k2):
        self.cell, self.readout, self.k1, self.k2 = cell, readout, k1, k2
        self.opt = torch.optim.RMSprop([*cell.parameters(), *readout.parameters()], lr=1e-3)

    def train(self, pairs, steps):
        init = torch.zeros(LANES, WIDTH)
        states = [(None, init)]
        smooth = None
        for j, (x, y) in zip(range(steps), pairs):
            entry = states[-1][1].detach()
            entry.requires_grad_(True)
            exit_ = self.cell(x, entry)
            states.append((entry, exit_))
            while len(states) > self.k2:
                del states[0]
            if (j + 1) % self.k1 == 0:
                loss = (self.readout(exit_).squeeze(1) - y).square().mean()
                self.opt.zero_grad()
                loss.backward(retain_graph=True)   # the newest state is walked again by the next windows
                for i in range(self.k2 - 1):
                    if len(states) <= i + 2 or states[-i - 2][0] is None:
                        break
                    upstream = states[-i - 1][0].grad
                    states[-i - 2][1].backward(upstream, retain_graph=i + self.k1 < self.k2 - 1)
                for e, _ in states:
                    if e is not None:
                        e.grad = None
                nn.utils.clip_grad_norm_(self.cell.parameters(), 2.0)
                self.opt.step()
                smooth = loss.item() if smooth is None else .98 * smooth + .02 * loss.item()
            if j % 100 == 99:
                print(f"step {j + 1} mse {smooth:.4f} window {len(states)}")


class PlainCell(nn.Module):
    """Elman cell whose recurrence matrix is fixed (echo state) and whose input map and bias learn."""

    def __init__(self, i, h):
        super().__init__()
        q, _ = torch.linalg.qr(torch.randn(h, h))
        self.register_buffer("echo", .95 * q)
        self.inp = nn.Linear(i, h)

    def forward(self, x, h):
        return torch.tanh(self.inp(x) + h @ self.echo)


trainer = TBPTT(PlainCell(1, WIDTH), nn.Linear(WIDTH, 1), K1, K2)
trainer.train(iter(Stream()), 800)
