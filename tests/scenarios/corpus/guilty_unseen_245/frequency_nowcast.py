# gradwatch-corpus: kind=second-backward
# holder: self.state | nowcaster.state
# first-bad: 20
"""Nowcasting grid frequency from inertia and imbalance signals with a hand-written LSTM.

The recurrent state is cleared at the start of each recording; the first
recordings are single blocks, later ones are cut into several.
"""
import argparse
from dataclasses import dataclass
from typing import Optional

import torch
from torch import nn


@dataclass
class CellState:
    h: torch.Tensor
    c: torch.Tensor


class LstmCell(nn.Module):
    def __init__(self, n_in, n_hidden):
        super().__init__()
        self.n_hidden = n_hidden
        self.from_input = nn.Linear(n_in, 4 * n_hidden)
        self.from_hidden = nn.Linear(n_hidden, 4 * n_hidden, bias=False)

    def zero_state(self, n):
        return CellState(torch.zeros(n, self.n_hidden), torch.zeros(n, self.n_hidden))

    def forward(self, x, state):
        gates = self.from_input(x) + self.from_hidden(state.h)
        i, f, g, o = gates.chunk(4, dim=1)
        c = torch.sigmoid(f + 1.0) * state.c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        return CellState(h, c)


class Recorder:
    """Swing-equation simulator returning one recording as a list of blocks."""

    def __init__(self, n_areas, block):
        self.n_areas = n_areas
        self.block = block

    def recording(self, n_blocks):
        n = self.n_areas
        inertia = 3 + 3 * torch.rand(n)
        df = torch.zeros(n)
        imbalance = torch.zeros(n)
        rows = []
        for _ in range(n_blocks * self.block + 1):
            imbalance = 0.9 * imbalance + 0.3 * torch.randn(n)
            df = df + 0.1 * (imbalance - 1.5 * df) / inertia
            rows.append(torch.stack([df * 10, imbalance, inertia / 5], dim=1))
        series = torch.stack(rows)
        for b in range(n_blocks):
            start = b * self.block
            x = series[start:start + self.block]
            y = series[start + 1:start + self.block + 1, :, 0]
            yield x, y


class Nowcaster:
    def __init__(self, n_hidden, lr):
        self.cell = LstmCell(3, n_hidden)
        self.head = nn.Linear(n_hidden, 1)
        self.params = list(self.cell.parameters()) + list(self.head.parameters())
        self.optimizer = torch.optim.Adam(self.params, lr=lr)
        self.state: Optional[CellState] = None

    def begin(self):
        self.state = None

    def learn(self, x, y):
        state = self.state  # <- culprit
        if state is None:
            state = self.cell.zero_state(x.shape[1])
        predicted = []
        for row in x:
            state = self.cell(row, state)
            predicted.append(row[:, 0] + self.head(state.h).squeeze(1))
        loss = (torch.stack(predicted) - y).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.state = state  # <- culprit
        return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--areas", type=int, default=32)
    parser.add_argument("--block", type=int, default=8)
    parser.add_argument("--hidden", type=int, default=24)
    parser.add_argument("--short", type=int, default=19)
    parser.add_argument("--long", type=int, default=20)
    parser.add_argument("--blocks-per-long", type=int, default=5)
    parser.add_argument("--lr", type=float, default=4e-3)
    args = parser.parse_args()
    torch.manual_seed(50)

    recorder = Recorder(args.areas, args.block)
    nowcaster = Nowcaster(args.hidden, args.lr)
    plan = [1] * args.short + [args.blocks_per_long] * args.long
    for number, n_blocks in enumerate(plan):
        nowcaster.begin()
        losses = []
        for x, y in recorder.recording(n_blocks):
            losses.append(nowcaster.learn(x, y))
        print(f"recording {number:2d}  blocks {n_blocks}  mse {sum(losses) / len(losses):.5f}")


if __name__ == "__main__":
    main()
