# gradwatch-corpus: kind=none
"""Seismic phase picker over an endless trace: truncated BPTT, states travel through a generator."""
from collections import deque
from typing import NamedTuple, Optional

import torch
from torch import nn


class Carry(NamedTuple):
    h: torch.Tensor
    c: torch.Tensor

    def cut(self):
        return Carry(*(t.detach() for t in self))


class Picker(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.LSTMCell(3, hidden)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def initial(self, batch):
        return Carry(torch.zeros(batch, self.hidden), torch.zeros(batch, self.hidden))

    def forward(self, sample, carry):
        carry = Carry(*self.cell(sample, carry))
        return self.out(carry.h).squeeze(-1), carry


def trace(n, batch, gen):
    energy = torch.zeros(batch)
    for _ in range(n):
        onset = torch.rand(batch, generator=gen) < 0.04
        energy = 0.9 * energy + onset.float() * 3
        noise = torch.randn(batch, 3, generator=gen)
        yield noise * (0.3 + energy[:, None]), (energy > 0.5).float()


def windows(model, stream, length, batch):
    """Yields a window's outputs; receives nothing, cuts the carry before going on."""
    carry: Optional[Carry] = model.initial(batch)
    logits = []
    labels = []
    for sample, label in stream:
        logit, carry = model(sample, carry)
        logits.append(logit)
        labels.append(label)
        if len(logits) == length:
            yield torch.stack(logits), torch.stack(labels)
            logits.clear()
            labels.clear()
            carry = carry.cut()


def main():
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(12)
    model = Picker()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    weight = torch.tensor(2.0)
    recent = deque(maxlen=20)
    stream = trace(12 * 110, 16, gen)
    for i, (logits, labels) in enumerate(windows(model, stream, 12, 16)):
        loss = nn.functional.binary_cross_entropy_with_logits(logits, labels, pos_weight=weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent.append(loss.detach())
        if i % 20 == 19:
            print(f"window {i + 1} loss {torch.stack(tuple(recent)).mean().item():.4f}")


if __name__ == "__main__":
    main()
