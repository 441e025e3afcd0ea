# gradwatch-corpus: kind=graph-chain
# holder: desk.carry | self.carry | section.carry | desk.carry.pitch
# first-bad: 1
# notice: 5
from typing import NamedTuple, Optional

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(66)


class Carry(NamedTuple):
    pitch: torch.Tensor
    breath: torch.Tensor

    def select(self, keep):
        return Carry(self.pitch * keep, self.breath * keep)


class BreathCell(nn.Module):
    """Elementwise gated cell; the decay constants belong to the instrument."""

    def __init__(self, n):
        super().__init__()
        self.register_buffer("decay", torch.linspace(0.3, 0.95, n))
        self.drive = nn.Linear(3, n)
        self.gate = nn.Linear(3, n)

    def forward(self, note, c: Carry):
        g = torch.sigmoid(self.gate(note))
        breath = c.breath * self.decay + g * (1 - self.decay)
        pitch = torch.tanh(c.pitch * self.decay + self.drive(note)) * breath
        return Carry(pitch, breath)


class Score:
    def __init__(self, voices, bars):
        self.voices, self.bars = voices, bars

    def __iter__(self):
        for bar in range(self.bars):
            ends = torch.rand(self.voices, 1) < (0.15 if bar % 6 == 5 else 0.0)
            yield bar, torch.randn(self.voices, 3), ends


class Desk:
    def __init__(self, voices, width=12):
        self.cell = BreathCell(width)
        self.sing = nn.Linear(width, 1)
        self.carry: Optional[Carry] = None
        self.voices, self.width = voices, width

    def parameters(self):
        return [*self.cell.parameters(), *self.sing.parameters()]

    def play(self, note, ends):
        if self.carry is None:
            z = torch.zeros(self.voices, self.width)
            self.carry = Carry(z, z)
        self.carry = self.cell(note, self.carry.select((~ends).float()))  # <- culprit
        return self.sing(self.carry.pitch).squeeze(1)


def rehearse(desk, score):
    opt = torch.optim.SGD(desk.parameters(), lr=0.02)
    for bar, note, ends in score:
        miss = (desk.play(note, ends) - note.sum(1).sin()).abs().mean()
        opt.zero_grad()
        miss.backward(retain_graph=True)
        opt.step()
    return miss.item()


print(rehearse(Desk(4), Score(4, 240)))
