# gradwatch-corpus: kind=inplace-modified
# holder: self.slots | model.reader.slots | self.reader.slots
# first-bad: 10
# notice: 0
"""Associative recall with a slot memory; the sequences get longer in the course of training."""
import argparse
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F

SCHEDULES = {}


def schedule(fn):
    SCHEDULES[fn.__name__] = fn
    return fn


@schedule
def staircase(it, every=10, cap=6):
    return min(cap, 1 + it // every)


@schedule
def constant(it, length=4):
    return length


@dataclass
class Spec:
    vocab: int = 10
    width: int = 24
    slots: int = 8
    batch: int = 16


class SlotReader(nn.Module):
    """Round-robin writes, soft reads."""

    def __init__(self, spec):
        super().__init__()
        self.n = spec.slots
        self.query = nn.Linear(spec.width, spec.width)
        self.write = nn.Linear(spec.width, spec.width)
        self.start = nn.Parameter(0.1 * torch.randn(spec.slots, spec.width))
        self.slots = None

    def reset(self, batch):
        self.slots = self.start.unsqueeze(0).repeat(batch, 1, 1)

    def forward(self, x, t):
        self.slots[:, t % self.n] = torch.tanh(self.write(x))  # <- culprit
        score = torch.einsum("bd,bnd->bn", self.query(x), self.slots)
        att = F.softmax(score / self.slots.shape[-1] ** 0.5, dim=-1)
        return torch.einsum("bn,bnd->bd", att, self.slots)


class Recall(nn.Module):
    def __init__(self, spec):
        super().__init__()
        self.emb = nn.Embedding(spec.vocab, spec.width)
        self.reader = SlotReader(spec)
        self.norm = nn.LayerNorm(spec.width)
        self.out = nn.Linear(2 * spec.width, spec.vocab)

    def forward(self, tokens):
        self.reader.reset(tokens.shape[0])
        logits = []
        for t in range(tokens.shape[1]):
            e = self.emb(tokens[:, t])
            read = self.norm(self.reader(e, t))
            logits.append(self.out(torch.cat([e, read], dim=-1)))
        return torch.stack(logits, dim=1)


def make_batch(spec, length, g):
    tokens = torch.randint(0, spec.vocab, (spec.batch, length), generator=g)
    target = tokens.cumsum(1) % spec.vocab
    return tokens, target


def build_step(model, opt, clip):
    def step(tokens, target):
        opt.zero_grad()
        logits = model(tokens)
        loss = F.cross_entropy(logits.flatten(0, 1), target.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        opt.step()
        return loss.item(), (logits.argmax(-1) == target).float().mean().item()
    return step


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--schedule", choices=sorted(SCHEDULES), default="staircase")
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(5)
    g = torch.Generator().manual_seed(5)
    spec = Spec()
    model = Recall(spec)
    step = build_step(model, torch.optim.RMSprop(model.parameters(), lr=2e-3), clip=1.0)
    length_at = partial(SCHEDULES[args.schedule])
    for it in range(args.iters):
        loss, acc = step(*make_batch(spec, length_at(it), g))
        if it % 5 == 0:
            print(f"{it:4d} length {length_at(it)} loss {loss:.3f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
