# gradwatch-corpus: kind=none
"""Truncated backprop with overlapping windows: every K1 steps, K2 steps back."""
from collections import deque

import torch
from torch import nn

K1, K2 = 2, 10


class PlainCell(nn.Module):
    def __init__(self, n_in, n_hid):
        super().__init__()
        self.w_in = nn.Parameter(torch.randn(n_in, n_hid) * 0.3)
        self.w_rec = nn.Parameter(torch.linalg.qr(torch.randn(n_hid, n_hid))[0] * 0.9)
        self.bias = nn.Parameter(torch.zeros(n_hid))

    def forward(self, x, h):
        return torch.tanh(x @ self.w_in + h @ self.w_rec.clone() + self.bias)


class DelayedEcho:
    """Target is the input seen four steps ago."""

    def __init__(self, batch, lag=4, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.batch = batch
        self.past = deque([torch.zeros(batch, 2)] * lag, maxlen=lag)

    def __next__(self):
        x = torch.randn(self.batch, 2, generator=self.gen)
        y = self.past[0]
        self.past.append(x)
        return x, y


class WindowedTrainer:
    def __init__(self, cell, readout, lr):
        self.cell, self.readout = cell, readout
        self.opt = torch.optim.Adam([*cell.parameters(), *readout.parameters()], lr=lr)
        self.states = deque(maxlen=K2 + 1)
        self.seen = 0

    def observe(self, x, y):
        if self.states:
            h_in = self.states[-1][1].detach()
        else:
            h_in = torch.zeros(x.shape[0], self.cell.bias.numel())
        h_in.requires_grad_()
        h_out = self.cell(x, h_in)
        self.states.append((h_in, h_out))
        self.seen += 1
        if self.seen % K1:
            return None
        loss = (self.readout(h_out) - y).square().mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        for back in range(len(self.states) - 1):
            later_in = self.states[-back - 1][0]
            earlier_out = self.states[-back - 2][1]
            if later_in.grad is None:
                break
            earlier_out.backward(later_in.grad, retain_graph=True)
        for h, _ in self.states:
            h.grad = None
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(11)
    trainer = WindowedTrainer(PlainCell(2, 24), nn.Linear(24, 2), lr=2e-3)
    source = DelayedEcho(batch=16)
    curve = []
    for step in range(1200):
        x, y = next(source)
        value = trainer.observe(x, y)
        if value is not None:
            curve.append(value)
        if step % 200 == 199:
            print(step + 1, sum(curve[-50:]) / 50)


main()
