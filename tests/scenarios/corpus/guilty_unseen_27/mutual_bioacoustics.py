# gradwatch-corpus: kind=second-backward
# holder: self.notes | board.notes | self.notes[key] | self.board.notes | board | self.board | seminar.board | opinion | others
# first-bad: 1
# also: graph-held
# after: chxy95/Deep-Mutual-Learning #5 "Trying to backward through the graph a second time"
"""Mutual learning of two small bird-call classifiers (mel patches) that take turns on the same clip batch.

Whoever had the turn before leaves its opinion on the blackboard, the other one is pulled towards it.
"""
from collections import defaultdict
from dataclasses import dataclass
from itertools import cycle, islice

import torch
import torch.nn.functional as F
from torch import nn

MODELS = {}


def register(name):
    def wrap(builder):
        MODELS[name] = builder
        return builder
    return wrap


@register("wide")
def wide(classes):
    return nn.Sequential(nn.Conv2d(1, 16, (5, 3), padding=(2, 1)), nn.ReLU(), nn.AdaptiveAvgPool2d((4, 4)),
                         nn.Flatten(), nn.Linear(256, classes))


@register("deep")
def deep(classes):
    return nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(),
                         nn.AdaptiveAvgPool2d((2, 2)), nn.Flatten(), nn.Linear(64, classes))


@dataclass
class Opinion:
    author: str
    logits: torch.Tensor
    temperature: float = 2.0

    @property
    def soft(self):
        return F.softmax(self.logits / self.temperature, dim=-1)  # <- culprit


class Blackboard:
    def __init__(self):
        self.notes = defaultdict(dict)

    def pin(self, key, opinion):
        self.notes[key][opinion.author] = opinion

    def others(self, key, author):
        return [o for name, o in self.notes[key].items() if name != author]

    def wipe(self, key):
        self.notes.pop(key, None)


class Peer:
    def __init__(self, name, classes, board):
        self.name, self.board = name, board
        self.net = MODELS[name](classes)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def turn(self, key, clips, labels):
        logits = self.net(clips)
        loss = F.cross_entropy(logits, labels)
        for opinion in self.board.others(key, self.name):
            mine = F.log_softmax(logits / opinion.temperature, dim=-1)
            loss = loss + opinion.temperature ** 2 * F.kl_div(mine, opinion.soft, reduction="batchmean")  # <- culprit
        self.board.pin(key, Opinion(self.name, logits))  # <- culprit
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Seminar:
    def __init__(self, names, classes):
        self.board = Blackboard()
        self.peers = [Peer(n, classes, self.board) for n in names]

    def schedule(self):
        """The order is turned around for every batch."""
        return cycle([self.peers, self.peers[::-1]])

    def run(self, batches):
        for (key, batch), order in zip(enumerate(batches), self.schedule()):
            values = {peer.name: peer.turn(key, *batch) for peer in order}
            self.board.wipe(key)
            if key % 10 == 0:
                print(key, {k: round(v, 3) for k, v in values.items()})


def recordings(classes, size=32):
    pattern = torch.randn(classes, 1, 32, 24)
    while True:
        y = torch.randint(classes, (size,))
        yield pattern[y] + torch.randn(size, 1, 32, 24), y


if __name__ == "__main__":
    torch.manual_seed(12)
    Seminar(["wide", "deep"], classes=6).run(islice(recordings(6), 50))
