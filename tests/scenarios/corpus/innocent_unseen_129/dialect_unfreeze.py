# gradwatch-corpus: kind=none
import contextlib
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(156)


class Rung(NamedTuple):
    until: int
    parts: tuple


@contextlib.contextmanager
def only(model, names):
    """Within the block only the named children learn."""
    before = {n: p.requires_grad for n, p in model.named_parameters()}
    for n, p in model.named_parameters():
        p.requires_grad_(n.split(".")[0] in names)
    try:
        yield
    finally:
        for n, p in model.named_parameters():
            p.requires_grad_(before[n])


@contextlib.contextmanager
def scoring(model):
    was = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    model.eval()
    try:
        yield
    finally:
        model.train()
        torch.set_grad_enabled(was)


class Accent(nn.Module):
    def __init__(self):
        super().__init__()
        self.phones = nn.Embedding(20, 8)
        self.rnn = nn.GRU(8, 12, batch_first=True)
        self.region = nn.Linear(12, 4)

    def forward(self, ids):
        return self.region(self.rnn(self.phones(ids))[1][0])


class Tapes:
    def draw(self, n=16):
        y = torch.randint(0, 4, (n,))
        return (torch.randint(0, 12, (n, 6)) + 2 * y[:, None]) % 20, y


class Ladder:
    def __init__(self, rungs):
        self.rungs = rungs

    def parts(self, step):
        return next((r.parts for r in self.rungs if step < r.until), self.rungs[-1].parts)


class Coach:
    def __init__(self):
        self.net, self.tapes = Accent(), Tapes()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.ladder = Ladder([Rung(150, ("region",)), Rung(300, ("region", "rnn")), Rung(900, ("region", "rnn", "phones"))])
        self.accuracy = []

    def step(self, k):
        with only(self.net, self.ladder.parts(k)):
            ids, y = self.tapes.draw()
            loss = nn.functional.cross_entropy(self.net(ids), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        if k % 60 == 59:
            with scoring(self.net):
                ids, y = self.tapes.draw(100)
                self.accuracy.append((self.net(ids).argmax(1) == y).float().mean())


coach = Coach()
for k in range(700):
    coach.step(k)
print([round(a.item(), 2) for a in coach.accuracy])
