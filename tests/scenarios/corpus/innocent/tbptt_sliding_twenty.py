# gradwatch-corpus: kind=none
# about: k1 = 1, k2 = 20: at every time step the gradient is handed back by hand through the last
# about: twenty one-step graphs, which are therefore alive and retained, but never more than
# about: twenty
from collections import deque

import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Window:
    """The one-step graphs of the last few time steps."""

    def __init__(self, length):
        self.pairs = deque(maxlen=length)

    def enter(self, state):
        state = state.detach().requires_grad_()
        return state

    def leave(self, entered, left):
        self.pairs.append((entered, left))

    def backward(self, loss):
        for entered, _ in self.pairs:
            entered.grad = None
        loss.backward(retain_graph=True)
        pairs = list(self.pairs)
        for (_, left), (entered, _) in zip(reversed(pairs[:-1]), reversed(pairs)):
            left.backward(entered.grad, retain_graph=True)


class Cell(nn.Module):
    def __init__(self, dim=10):
        super().__init__()
        self.gates = nn.Linear(dim + 1, 2 * dim)
        self.read = nn.Linear(dim, 1)

    def forward(self, x, h):
        z, n = self.gates(torch.cat([x, h], 1)).chunk(2, 1)
        z = z.sigmoid()
        h = z * h + (1 - z) * n.tanh()
        return self.read(h), h


def main():
    torch.manual_seed(0)
    cell, window = Cell(), Window(20)
    h, past = torch.zeros(4, 10), deque([torch.zeros(4, 1)] * 5, maxlen=5)
    running = 0.0
    for t in range(ITERATIONS):
        x = torch.randn(4, 1)
        target = past[0]
        past.append(x)
        entered = window.enter(h)
        y, h = cell(x, entered)
        window.leave(entered, h)
        loss = (y - target).pow(2).mean()
        cell.zero_grad()
        window.backward(loss)
        nn.utils.clip_grad_norm_(cell.parameters(), 1.0)
        for p in cell.parameters():
            p.data.sub_(0.05 * p.grad)
        running += 0.05 * (loss.item() - running)
        if t % 50 == 49:
            print(f"{t + 1}: {running:.6f}, window {len(window.pairs)}")


if __name__ == "__main__":
    main()
