# gradwatch-corpus: kind=none
"""Streaming phone tagger: carried LSTM state, chunks that grow over the curriculum."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn

from stream import ChunkCurriculum, SpeakerStream


class StreamTagger(nn.Module):
    def __init__(self, n_feat, n_phone, d=32):
        super().__init__()
        self.inp = nn.Linear(n_feat, d)
        self.rnn = nn.LSTM(d, d, batch_first=True)
        self.out = nn.Linear(d, n_phone)
        self.state = None
        self.left = None

    def reset(self):
        self.state = self.left = None

    def carry(self, state, tail):
        self.state = tuple(s.detach() for s in state)
        self.left = tail

    def forward(self, x):
        left = self.left if self.left is not None else x.new_zeros(x.size(0), 2, x.size(2))
        ctx = torch.cat([left, x], 1)
        h = self.inp(ctx[:, 2:]) + 0.5 * self.inp(ctx[:, 1:-1]) + 0.25 * self.inp(ctx[:, :-2])
        h, state = self.rnn(torch.tanh(h), self.state)
        self.carry(state, x[:, -2:])
        return self.out(h)


class LossBook:
    def __init__(self):
        self.chunk = []
        self.history = []

    def add(self, loss):
        self.chunk.append(loss)

    def close(self):
        total = torch.stack(self.chunk).mean()
        self.history.append(total.item())
        self.chunk.clear()
        return total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=140)
    ap.add_argument("--feat", type=int, default=13)
    ap.add_argument("--phones", type=int, default=10)
    args = ap.parse_args()
    torch.manual_seed(9)
    torch.set_num_threads(1)
    stream = SpeakerStream(8, args.feat, args.phones)
    curriculum = ChunkCurriculum(start=4, stop=22, every=10, by=2)
    net = StreamTagger(args.feat, args.phones)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    book = LossBook()
    for it in range(args.iters):
        if it % 35 == 0:
            net.reset()
            stream.new_speakers()
        x, y = stream.read(curriculum.length(it))
        logits = net(x)
        for lo in range(0, x.size(1), 4):
            book.add(F.cross_entropy(logits[:, lo: lo + 4].flatten(0, 1), y[:, lo: lo + 4].flatten()))
        loss = book.close()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(f"it {it:3d} chunk {x.size(1):2d} loss {book.history[-1]:.4f}")


if __name__ == "__main__":
    main()
