# gradwatch-corpus: kind=none
"""Seq2seq toy: spelled-out dates to ISO digits, big effective batch out of small pieces."""
import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
CHARS = sorted(set("".join(MONTHS) + "0123456789 ,-"))
ID = {c: i + 1 for i, c in enumerate(CHARS)}
DIGITS = 10


def example(rng):
    y, m, d = rng.randint(1950, 2049), rng.randint(1, 12), rng.randint(1, 28)
    text = rng.choice([f"{d} {MONTHS[m - 1]} {y}", f"{MONTHS[m - 1]} {d}, {y}", f"{y}-{m}-{d}"])
    return [ID[c] for c in text], [int(c) for c in f"{y:04d}{m:02d}{d:02d}"]


def pile(rng, n):
    pairs = [example(rng) for _ in range(n)]
    width = max(len(a) for a, _ in pairs)
    src = torch.tensor([a + [0] * (width - len(a)) for a, _ in pairs])
    return src, torch.tensor([b for _, b in pairs])


class Normaliser(nn.Module):
    """Reads with two convolutions, then eight queries attend, one for each digit."""

    def __init__(self, dim=32):
        super().__init__()
        self.emb = nn.Embedding(len(CHARS) + 1, dim, padding_idx=0)
        self.place = nn.Parameter(torch.randn(24, dim) * 0.1)
        self.read = nn.Sequential(nn.Conv1d(dim, 2 * dim, 3, padding=1), nn.ReLU(),
                                  nn.Conv1d(2 * dim, 2 * dim, 3, padding=1))
        self.query = nn.Parameter(torch.randn(8, 2 * dim) * 0.2)
        self.out = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, DIGITS))

    def forward(self, src):
        e = self.emb(src) + self.place[: src.size(1)]
        h = self.read(e.transpose(1, 2)).transpose(1, 2)
        att = torch.einsum("qd,bsd->bqs", self.query, h)
        att = att.masked_fill(src.eq(0).unsqueeze(1), -1e9).softmax(-1)
        return self.out(att @ h)


class Accumulator:
    """Lets the optimizer move after every `k` calls of feed(), with the mean of the pieces."""

    def __init__(self, model, opt, sched, k, clip):
        self.model, self.opt, self.sched, self.k, self.clip = model, opt, sched, k, clip
        self.pending = 0
        self.updates = 0
        opt.zero_grad()

    def feed(self, loss):
        (loss / self.k).backward()
        self.pending += 1
        if self.pending == self.k:
            self.flush()

    def flush(self):
        if not self.pending:
            return
        if self.pending < self.k:
            for p in self.model.parameters():
                p.grad.mul_(self.k / self.pending)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.opt.step()
        self.sched.step()
        self.opt.zero_grad()
        self.pending = 0
        self.updates += 1


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--micro", type=int, default=8)
    ap.add_argument("--k", type=int, default=3)
    ap.add_argument("--epochs", type=int, default=6)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(50)
    rng = random.Random(50)

    model = Normaliser()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.998)
    acc = Accumulator(model, opt, sched, args.k, clip=1.0)
    held = pile(rng, 200)

    for epoch in range(args.epochs):
        losses = []
        for _ in range(155):
            src, tgt = pile(rng, args.micro)
            loss = F.cross_entropy(model(src).flatten(0, 1), tgt.flatten())
            acc.feed(loss)
            losses.append(loss.item())
        acc.flush()
        with torch.no_grad():
            good = (model(held[0]).argmax(-1) == held[1]).float().mean().item()
        print(f"epoch {epoch} updates {acc.updates} loss {sum(losses) / len(losses):.3f} digit acc {good:.3f}")


if __name__ == "__main__":
    main()
