# gradwatch-corpus: kind=none
"""Character model on streams; window lengths are drawn at random and grow over the first half of the run."""
import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

TEXT = ("it was the best of times, it was the worst of times, it was the age of wisdom, "
        "it was the age of foolishness, it was the epoch of belief. ") * 30


class CharLM(nn.Module):
    def __init__(self, n, width):
        super().__init__()
        self.n = n
        self.emb = nn.Embedding(n, width)
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.out = nn.Linear(width, n)
        self.state = None

    def forward(self, ids):
        y, self.state = self.rnn(self.emb(ids), self.state)
        return self.out(y)

    def cut(self):
        if self.state is not None:
            self.state = tuple(s.detach() for s in self.state)

    def forget(self, keep_prob):
        if self.state is not None and random.random() > keep_prob:
            self.state = None


class Streams:
    def __init__(self, text, rows):
        chars = sorted(set(text))
        ids = torch.tensor([chars.index(c) for c in text])
        self.vocab = len(chars)
        per = len(ids) // rows
        self.ids = ids[: per * rows].view(rows, per)
        self.pos = 0

    def take(self, length):
        wrapped = self.pos + length + 1 > self.ids.size(1)
        if wrapped:
            self.pos = 0
        piece = self.ids[:, self.pos:self.pos + length + 1]
        self.pos += length
        return piece[:, :-1], piece[:, 1:], wrapped


def mean_length(step, total):
    return 6 + int(18 * min(1.0, 2 * step / total))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=220)
    ap.add_argument("--width", type=int, default=32)
    args = ap.parse_args()
    random.seed(1)
    torch.manual_seed(1)
    streams = Streams(TEXT, rows=8)
    lm = CharLM(streams.vocab, args.width)
    opt = torch.optim.Adam(lm.parameters(), lr=5e-3)

    pieces, pending, left = 0, 0.0, random.choice([1, 2, 3, 4])
    step = 0
    while step < args.steps:
        length = max(3, int(random.gauss(mean_length(step, args.steps), 2)))
        x, y, wrapped = streams.take(length)
        if wrapped:
            lm.state = None
        pending = pending + F.cross_entropy(lm(x).transpose(1, 2), y)
        pieces += 1
        left -= 1
        if left:
            continue
        loss = pending / pieces
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        opt.step()
        lm.cut()
        lm.forget(keep_prob=0.95)
        if step % 55 == 0:
            print(f"step {step} chunks {pieces} len {length} loss {loss.item():.3f}")
        pieces, pending, left = 0, 0.0, random.choice([1, 2, 3, 4])
        step += 1


if __name__ == "__main__":
    main()
