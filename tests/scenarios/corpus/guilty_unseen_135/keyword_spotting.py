# gradwatch-corpus: kind=graph-held
# holder: self.skipped | session.skipped | err.__traceback__ | self.skipped[i][1].__traceback__
# first-bad: 3
# notice: 8
"""Keyword spotting on raw 1-d audio; clips with a loss spike are skipped and reported at the end."""
import math

import torch

torch.set_num_threads(1)
from torch import nn


class LossSpike(RuntimeError):
    pass


class KwsNet(nn.Module):
    def __init__(self, words=6):
        super().__init__()
        self.front = nn.Conv1d(1, 8, 16, stride=8)
        self.body = nn.Sequential(nn.GroupNorm(2, 8), nn.SiLU(), nn.Conv1d(8, 12, 5, stride=2), nn.SiLU())
        self.head = nn.Linear(12, words)

    def forward(self, wav):
        return self.head(self.body(self.front(wav)).mean(-1))


def clips(n, words=6, rate=256):
    t = torch.arange(rate) / rate
    for i in range(n):
        y = torch.randint(0, words, (6,))
        freq = 8.0 + 9.0 * y.float()
        wav = torch.sin(2 * math.pi * freq[:, None] * t + torch.rand(6, 1) * 6.28)
        gain = 1.0
        if i % 3 == 2:
            gain, y = 40.0, (y + 1) % words
        yield (gain * wav + 0.1 * torch.randn_like(wav)).unsqueeze(1), y, i % 3 == 2


class Session:
    def __init__(self, net, lr=4e-3):
        self.net = net
        self.opt = torch.optim.RAdam(net.parameters(), lr=lr)
        self.skipped = []
        self.updates = 0

    def _check(self, loss, clipped):
        value = loss.item()
        if clipped or not math.isfinite(value):
            raise LossSpike(f"loss {value:.2f} after {self.updates} updates")

    def _update(self, wav, y, clipped):
        logits = self.net(wav)
        loss = nn.functional.cross_entropy(logits, y)
        self._check(loss, clipped)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        return loss.item()

    def run(self, n):
        ema = None
        for i, (wav, y, clipped) in enumerate(clips(n)):
            try:
                value = self._update(wav, y, clipped)
            except LossSpike as err:
                self.skipped.append((i, err))  # <- culprit
                continue
            ema = value if ema is None else 0.95 * ema + 0.05 * value
            if self.updates % 80 == 0:
                print(f"{self.updates:4d} updates  ema {ema:.3f}  skipped {len(self.skipped)}")


if __name__ == "__main__":
    torch.manual_seed(21)
    session = Session(KwsNet())
    session.run(480)
    for i, err in session.skipped[:3]:
        print("clip", i, "->", err)
