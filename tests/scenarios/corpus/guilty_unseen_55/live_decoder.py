# gradwatch-corpus: kind=second-backward
# holder: self._carry | self.carry | session.carry | session._carry | self._carry.c | session.carry.c | session._carry.c
# first-bad: 1
"""Online training of an LSTM decoder on an endless sensor stream."""
import logging
from dataclasses import dataclass, replace

import torch
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("decoder")


@dataclass(frozen=True)
class Carry:
    h: torch.Tensor
    c: torch.Tensor
    seen: int = 0

    @classmethod
    def blank(cls, rows, width):
        z = torch.zeros(rows, width)
        return cls(z, z.clone())

    def advance(self, h, c, n):
        return replace(self, h=h.detach(), c=c, seen=self.seen + n)  # <- culprit


class Decoder(nn.Module):
    def __init__(self, sensors, width, out):
        super().__init__()
        self.width = width
        self.cell = nn.LSTMCell(sensors, width)
        self.read = nn.Linear(width, out)

    def forward(self, xs, h, c):
        outs = []
        for x in xs:
            h, c = self.cell(x, (h, c))
            outs.append(self.read(h))
        return torch.stack(outs), h, c


class Session:
    def __init__(self, decoder, rows, lr=5e-3):
        self.decoder = decoder
        self.rows = rows
        self.opt = torch.optim.Adam(decoder.parameters(), lr=lr)
        self.skipped = 0
        self.restart()

    def restart(self):
        self.carry = Carry.blank(self.rows, self.decoder.width)

    @property
    def carry(self):
        return self._carry

    @carry.setter
    def carry(self, value):
        self._carry = value  # <- culprit

    def learn(self, xs, ys):
        pred, h, c = self.decoder(xs, self.carry.h, self.carry.c)
        loss = (pred - ys).square().mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.decoder.parameters(), 1.0)
        self.opt.step()
        self.carry = self.carry.advance(h, c, len(xs))  # <- culprit
        return loss.item()

    def safe_learn(self, xs, ys):
        try:
            return self.learn(xs, ys)
        except RuntimeError as err:
            self.skipped += 1
            if self.skipped == 1:
                log.warning("chunk skipped: %s", str(err).split(".")[0])
            self.restart()
            return None


def chunks(n, length=5, rows=12, sensors=4, out=2):
    mix = torch.randn(sensors, out)
    level = torch.zeros(rows, sensors)
    for _ in range(n):
        xs, ys = [], []
        for _ in range(length):
            level = 0.9 * level + 0.4 * torch.randn(rows, sensors)
            xs.append(level)
            ys.append(torch.tanh(level @ mix))
        yield torch.stack(xs), torch.stack(ys)


def main():
    torch.manual_seed(30)
    session = Session(Decoder(4, 20, 2), rows=12)
    recent = []
    for i, (xs, ys) in enumerate(chunks(160)):
        loss = session.safe_learn(xs, ys)
        if loss is not None:
            recent.append(loss)
        if i % 40 == 39:
            log.info("chunk %d loss %.4f skipped %d", i + 1, sum(recent[-10:]) / 10, session.skipped)


if __name__ == "__main__":
    main()
