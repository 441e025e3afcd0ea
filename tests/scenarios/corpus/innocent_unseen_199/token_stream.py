# gradwatch-corpus: kind=none
"""Next-token model over one endless stream, one token column per tick."""
import collections
import math

import torch
from torch import nn
import torch.nn.functional as F

VOCAB, LANES, CUT = 24, 8, 20


def markov_stream(gen, length):
    trans = torch.softmax(3 * torch.randn(VOCAB, VOCAB, generator=gen), -1)
    cur = torch.randint(VOCAB, (LANES,), generator=gen)
    cols = [cur]
    for _ in range(length):
        cur = torch.multinomial(trans[cur], 1, generator=gen).squeeze(1)
        cols.append(cur)
    return torch.stack(cols)


class Stepper(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.width = width
        self.embed = nn.Embedding(VOCAB, width)
        self.cell = nn.LSTMCell(width, width)
        self.head = nn.Linear(width, VOCAB)

    def begin(self):
        return torch.zeros(LANES, self.width), torch.zeros(LANES, self.width)

    def forward(self, tok, state):
        h, c = self.cell(self.embed(tok), state)
        return self.head(h), (h, c)


class Session:
    def __init__(self, model, opt):
        self.model, self.opt = model, opt
        self.state = model.begin()
        self.total = 0.0
        self.ticks = 0
        self.trace = []
        self.nll = collections.deque(maxlen=500)

    def tick(self, tok, nxt):
        logits, self.state = self.model(tok, self.state)
        loss = F.cross_entropy(logits, nxt)
        self.total = self.total + loss
        self.trace.append(self.state)
        self.ticks += 1
        self.nll.append(loss.item())
        if self.ticks % CUT == 0:
            self.settle()

    def settle(self):
        hidden = torch.stack([h for h, _ in self.trace])
        slow = (hidden[1:] - hidden[:-1]).pow(2).mean()
        self.opt.zero_grad()
        (self.total / CUT + 0.01 * slow).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.state = tuple(s.detach() for s in self.state)
        self.total = 0.0
        self.trace = []


def main():
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(5)
    model = Stepper()
    session = Session(model, torch.optim.Adam(model.parameters(), lr=5e-3))
    stream = markov_stream(gen, CUT * 420)
    for t in range(CUT * 420):
        session.tick(stream[t], stream[t + 1])
        if t % 2000 == 1999:
            mean = sum(session.nll) / len(session.nll)
            print(f"tick {t + 1} ppl {math.exp(mean):.2f}")


if __name__ == "__main__":
    main()
