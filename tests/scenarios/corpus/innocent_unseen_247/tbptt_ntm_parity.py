# gradwatch-corpus: kind=none
"""Running parity with a GRU + scratchpad, truncated backprop; the carry is a nested namedtuple."""
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

Pad = namedtuple("Pad", "cells head")
Carry = namedtuple("Carry", "hidden pad")


def tree_map(fn, node):
    if isinstance(node, torch.Tensor):
        return fn(node)
    return type(node)(*(tree_map(fn, child) for child in node))


class ScratchpadGRU(nn.Module):
    def __init__(self, d_in, hidden, slots, width):
        super().__init__()
        self.hidden = hidden
        self.slots = slots
        self.width = width
        self.gru = nn.GRUCell(d_in + width, hidden)
        self.shift = nn.Linear(hidden, 3)
        self.write = nn.Linear(hidden, width)
        self.erase = nn.Linear(hidden, width)
        self.out = nn.Linear(hidden + width, 2)

    def initial(self, batch):
        head = torch.zeros(batch, self.slots)
        head[:, 0] = 1.0
        return Carry(torch.zeros(batch, self.hidden), Pad(torch.zeros(batch, self.slots, self.width), head))

    def forward(self, carry, x):
        cells, head = carry.pad
        read = torch.einsum("bs,bsw->bw", head, cells)
        hidden = self.gru(torch.cat([x, read], 1), carry.hidden)
        move = torch.softmax(self.shift(hidden), 1)
        rolled = torch.stack([head.roll(-1, 1), head, head.roll(1, 1)], 2)
        head = torch.einsum("bsk,bk->bs", rolled, move)
        gate = torch.sigmoid(self.erase(hidden)).unsqueeze(1)
        value = torch.tanh(self.write(hidden)).unsqueeze(1)
        w = head.unsqueeze(2)
        cells = cells * (1 - w * gate) + w * value
        logits = self.out(torch.cat([hidden, read], 1))
        return Carry(hidden, Pad(cells, head)), logits


def windows(batch, length, window):
    bits = torch.randint(0, 2, (batch, length))
    parity = bits.cumsum(1) % 2
    for s in range(0, length, window):
        yield bits[:, s:s + window], parity[:, s:s + window]


def run_window(model, carry, bits, target):
    outputs = []
    for t in range(bits.size(1)):
        x = F.one_hot(bits[:, t], 2).float()
        carry, logits = model(carry, x)
        outputs.append(logits)
    scores = torch.stack(outputs, 1)
    return carry, scores, F.cross_entropy(scores.flatten(0, 1), target.flatten())


def main():
    torch.manual_seed(2)
    model = ScratchpadGRU(2, 24, 6, 8)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    seen = 0
    for episode in range(8):
        carry = model.initial(20)
        correct = []
        for bits, target in windows(20, 96, 8):
            carry = tree_map(torch.Tensor.detach, carry)
            carry, scores, loss = run_window(model, carry, bits, target)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_value_(model.parameters(), 1.0)
            opt.step()
            correct.append((scores.argmax(-1) == target).float().mean())
            seen += 1
        print(f"episode {episode} updates {seen} acc {torch.stack(correct).mean().item():.3f}")


if __name__ == "__main__":
    main()
