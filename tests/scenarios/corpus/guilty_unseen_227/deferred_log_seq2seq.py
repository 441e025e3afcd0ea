# gradwatch-corpus: kind=graph-held
# holder: self._pending | log._pending
# first-bad: 1
"""Sequence reversal with attention; scalars are written out lazily to keep the loop fast."""
import argparse
import io

import torch
import torch.nn as nn
import torch.nn.functional as F


class LazyWriter:
    def __init__(self, sink):
        self.sink = sink
        self._pending = []

    def scalar(self, tag, fn, step):
        self._pending.append((tag, fn, step))  # <- culprit

    def close(self):
        for tag, fn, step in self._pending:
            self.sink.write(f"{step}\t{tag}\t{fn():.5f}\n")
        self._pending.clear()


class Reverser(nn.Module):
    def __init__(self, vocab, dim=32):
        super().__init__()
        self.emb = nn.Embedding(vocab + 1, dim)
        self.enc = nn.GRU(dim, dim, batch_first=True)
        self.dec = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(2 * dim, vocab)
        self.bos = vocab

    def forward(self, src, tgt):
        mem, h = self.enc(self.emb(src))
        start = torch.full_like(tgt[:, :1], self.bos)
        prev = torch.cat([start, tgt[:, :-1]], dim=1)
        dec, _ = self.dec(self.emb(prev), h)
        scores = dec @ mem.transpose(1, 2) / mem.size(-1) ** 0.5
        att = scores.softmax(-1)
        logits = self.out(torch.cat([dec, att @ mem], dim=-1))
        return logits, att


def entropy(att):
    return -(att * (att + 1e-9).log()).sum(-1).mean()


def train(opts):
    torch.manual_seed(opts.seed)
    net = Reverser(opts.vocab)
    optim = torch.optim.Adam(net.parameters(), lr=opts.lr)
    sink = io.StringIO()
    log = LazyWriter(sink)

    def one(step):
        src = torch.randint(0, opts.vocab, (opts.batch, opts.length))
        tgt = src.flip(1)
        logits, att = net(src, tgt)
        nll = F.cross_entropy(logits.flatten(0, 1), tgt.flatten())
        optim.zero_grad(set_to_none=True)
        nll.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optim.step()
        log.scalar("nll", lambda: nll.item(), step)  # <- culprit
        log.scalar("att_entropy", lambda: entropy(att).item(), step)  # <- culprit

    for step in range(opts.steps):
        one(step)
    log.close()
    lines = sink.getvalue().splitlines()
    print(len(lines), "rows")
    print("\n".join(lines[-4:]))


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--vocab", type=int, default=12)
    ap.add_argument("--length", type=int, default=8)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=17)
    train(ap.parse_args())
