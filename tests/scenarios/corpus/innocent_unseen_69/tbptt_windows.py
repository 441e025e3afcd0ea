# gradwatch-corpus: kind=none
"""Truncated backpropagation with k1 < k2: a loss every k1 steps that walks k2 steps back,
for a GRU that reads an endless adding-up signal."""
import argparse

import torch
from torch import nn


class OneStep(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = nn.GRUCell(2, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x, state):
        state = self.cell(x, state)
        return self.out(state).squeeze(-1), state


class TBPTT:
    """Keeps pairs (state as it entered, state as it left); each entering state is a leaf, so the
    way back from one step to the one before is walked by hand."""

    def __init__(self, module, k1, k2, opt):
        assert k2 % k1 == 0
        self.module, self.k1, self.k2, self.opt = module, k1, k2, opt
        self.loss_fn = nn.MSELoss()

    def sequence(self, xs, ys, state):
        self.opt.zero_grad()
        states = [(None, state)]
        recent, shown = [], 0.0
        for j, (x, y) in enumerate(zip(xs, ys)):
            entering = states[-1][1].detach()
            entering.requires_grad_(True)
            pred, leaving = self.module(x, entering)
            states.append((entering, leaving))
            recent.append((pred, y))
            while len(states) > self.k2:
                del states[0]
            if (j + 1) % self.k1 == 0:
                shown += self._walk(recent, states)
                recent.clear()
        nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)
        self.opt.step()
        return shown, states[-1][1].detach()

    def _walk(self, recent, states):
        for entering, _ in states:
            if entering is not None:
                entering.grad = None
        pred, y = recent[-1]
        loss = self.loss_fn(pred, y)
        loss.backward(retain_graph=True)
        for back in range(self.k2 - 1):
            if back + 2 > len(states) or states[-back - 2][0] is None:
                break
            current = states[-back - 1][0].grad
            states[-back - 2][1].backward(current, retain_graph=True)
        return loss.item()


class Signal:
    def __init__(self, batch, lag):
        self.batch, self.lag = batch, lag
        self.tail = torch.zeros(lag, batch)

    def take(self, n):
        value = torch.rand(n, self.batch)
        line = torch.cat([self.tail, value])
        self.tail = line[-self.lag:]
        pulse = (torch.rand(n, self.batch) < 0.3).float()
        target = 0.5 * (line[self.lag:] + line[:-self.lag]) + 0.2 * pulse
        return torch.stack([value, pulse], dim=-1), target


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--k1", type=int, default=3)
    ap.add_argument("--k2", type=int, default=6)
    ap.add_argument("--sequences", type=int, default=160)
    ap.add_argument("--length", type=int, default=24)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(4)
    net = OneStep(20)
    runner = TBPTT(net, args.k1, args.k2, torch.optim.Adam(net.parameters(), lr=5e-3))
    signal, state = Signal(batch=16, lag=3), torch.zeros(16, 20)
    sizes = []
    for k in range(args.sequences):
        xs, ys = signal.take(args.length)
        value, state = runner.sequence(xs, ys, state)
        sizes.append(value / (args.length // args.k1))
        if k % 40 == 39:
            print(f"{k + 1:4d}  mse {sum(sizes[-20:]) / 20:.4f}")


if __name__ == "__main__":
    main()
