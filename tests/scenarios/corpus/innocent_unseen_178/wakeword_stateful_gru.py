# gradwatch-corpus: kind=none
"""Streaming wake word detector trained with truncated backpropagation."""
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class StatefulMixin:
    state = None

    def swap_state(self, new):
        old, self.state = self.state, self._cut(new)
        return old

    @staticmethod
    def _cut(tensors):
        return tuple(t.detach() for t in tensors)


class AudioStream:
    def __init__(self, mels=12, lanes=8, chunk=10, seed=2):
        self.gen = torch.Generator().manual_seed(seed)
        self.pattern = torch.randn(mels, generator=self.gen)
        self.shape = (lanes, chunk, mels)

    def chunk(self):
        x = torch.randn(self.shape, generator=self.gen)
        y = (torch.rand(self.shape[:2], generator=self.gen) < 0.15).float()
        return x + y.unsqueeze(-1) * self.pattern, y


class WakeNet(StatefulMixin, nn.Module):
    def __init__(self, mels=12, width=24):
        super().__init__()
        self.cell = nn.GRUCell(mels, width)
        self.out = nn.Linear(width, 1)
        self.state = (torch.zeros(8, width),)

    def forward(self, x):
        h, = self.state
        logits = []
        for frame in x.unbind(1):
            h = self.cell(frame, h)
            logits.append(self.out(h))
        self.swap_state((h,))
        return torch.cat(logits, 1)


class History:
    def __init__(self):
        self.loss = []
        self.recent = deque(maxlen=16)

    def record(self, loss):
        self.loss.append(loss.item())
        self.recent.append(loss)

    def smooth(self):
        with torch.no_grad():
            return torch.stack(tuple(self.recent)).mean().item()


class StreamTrainer:
    def __init__(self):
        self.net = WakeNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.history = History()

    def consume(self, x, y):
        loss = F.binary_cross_entropy_with_logits(self.net(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.history.record(loss)


def main():
    torch.manual_seed(5)
    stream, trainer = AudioStream(), StreamTrainer()
    for i in range(420):
        trainer.consume(*stream.chunk())
        if i % 105 == 0:
            print(i, round(trainer.history.smooth(), 4))


if __name__ == "__main__":
    main()
