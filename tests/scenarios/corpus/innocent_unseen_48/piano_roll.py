# gradwatch-corpus: kind=none
"""Next chord of a piano roll, read as one stream with a memory between chunks."""
import itertools
from contextvars import ContextVar
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

session = ContextVar("session")


class Memory(NamedTuple):
    h: torch.Tensor
    c: torch.Tensor

    def cut(self):
        return Memory(*(t.detach() for t in self))


class Session:
    """Carries the network's memory from a chunk to the next one."""

    def __init__(self, voices, hidden):
        self._memory = Memory(torch.zeros(1, voices, hidden), torch.zeros(1, voices, hidden))
        self.trail = []

    @property
    def memory(self):
        return self._memory

    @memory.setter
    def memory(self, new):
        self._memory = Memory(*new).cut()
        self.trail.append(self._memory.h.norm().item())


class ChordNet(nn.Module):
    def __init__(self, keys, hidden):
        super().__init__()
        self.embed = nn.Embedding(keys, 12)
        self.lstm = nn.LSTM(12, hidden)
        self.out = nn.Linear(hidden, keys)

    def forward(self, chunk):
        here = session.get()
        y, here.memory = self.lstm(self.embed(chunk), here.memory)
        return self.out(y)


def stream(voices, keys):
    motif = torch.randint(0, keys, (13,))
    offset = torch.randint(0, 13, (voices,))
    for t in itertools.count():
        note = motif[(offset + t) % 13]
        wrong = torch.rand(voices) < 0.1
        yield torch.where(wrong, torch.randint(0, keys, (voices,)), note)


def chunks(notes, length):
    last = next(notes)
    while True:
        rows = [last, *itertools.islice(notes, length)]
        last = rows[-1]
        block = torch.stack(rows)
        yield block[:-1], block[1:]


class Trainer:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def step(self, seen, coming):
        logits = self.net(seen)
        loss = F.cross_entropy(logits.flatten(0, 1), coming.flatten())
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        return loss.detach()


def main():
    torch.manual_seed(31)
    here = Session(voices=12, hidden=32)
    token = session.set(here)
    trainer = Trainer(ChordNet(keys=24, hidden=32), lr=5e-3)
    running = torch.zeros(())
    try:
        for i, pair in enumerate(itertools.islice(chunks(stream(12, 24), 10), 90)):
            running = 0.9 * running + 0.1 * trainer.step(*pair)
            if i % 15 == 0:
                print(f"chunk {i:2d} loss {running / (1 - 0.9 ** (i + 1)):.4f} memory {here.trail[-1]:.2f}")
    finally:
        session.reset(token)


if __name__ == "__main__":
    main()
