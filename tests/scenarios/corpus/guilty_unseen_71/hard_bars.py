# gradwatch-corpus: kind=graph-held
# holder: self.heap | board.heap | e.nll
# first-bad: 1
# notice: 8
"""Melody model: predicts the next pitch class from the previous notes of a bar,
and keeps a ranking of the bars the model finds hardest."""
import heapq
import itertools
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

SCALES = {"major": [0, 2, 4, 5, 7, 9, 11], "minor": [0, 2, 3, 5, 7, 8, 10], "penta": [0, 2, 4, 7, 9]}


@dataclass(order=True)
class Entry:
    key: float
    tick: int
    bar: str = field(compare=False)
    nll: torch.Tensor = field(compare=False)


class HardestBars:
    def __init__(self, show=3):
        self.show = show
        self.heap = []
        self._tick = itertools.count()

    def offer(self, bar, nll):
        heapq.heappush(self.heap, Entry(-nll.item(), next(self._tick), bar, nll))  # <- culprit

    def top(self):
        return [(e.bar, round(e.nll.item(), 2)) for e in heapq.nsmallest(self.show, self.heap)]


class MelodyNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.pitch = nn.Embedding(12, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, 12)

    def forward(self, notes):
        h, _ = self.rnn(self.pitch(notes))
        return self.out(h)


class BarSource:
    """Random walks on a random scale and root."""

    def __init__(self, seed, batch=16, length=12):
        self.gen = torch.Generator().manual_seed(seed)
        self.batch, self.length = batch, length
        self.serial = itertools.count(1)

    def _rand(self, hi):
        return int(torch.randint(hi, (1,), generator=self.gen))

    def _bar(self):
        name = list(SCALES)[self._rand(len(SCALES))]
        scale, root = SCALES[name], self._rand(12)
        pos, notes = self._rand(len(scale)), []
        for _ in range(self.length):
            notes.append((root + scale[pos % len(scale)]) % 12)
            pos += self._rand(3) - 1
        return f"{name}/{root}#{next(self.serial)}", notes

    def next_batch(self):
        names, notes = zip(*(self._bar() for _ in range(self.batch)))
        return names, torch.tensor(notes)


def bar_nll(net, notes):
    logits = net(notes[:, :-1])
    nll = F.cross_entropy(logits.transpose(1, 2), notes[:, 1:], reduction="none")
    return nll.mean(dim=1)


def report(step, loss, board):
    print(f"[{step:3d}] nll/note {loss.item():.3f}  hardest: {board.top()}")


def main(steps=120):
    torch.set_num_threads(1)
    torch.manual_seed(23)
    net, source, board = MelodyNet(), BarSource(seed=4), HardestBars()
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    for step in range(steps):
        names, notes = source.next_batch()
        per_bar = bar_nll(net, notes)
        loss = per_bar.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        worst = int(per_bar.argmax())
        board.offer(names[worst], per_bar[worst])  # <- culprit
        if step % 20 == 19:
            report(step, loss, board)
    print("hardest overall", board.top()[0])


if __name__ == "__main__":
    main()
