# gradwatch-corpus: kind=graph-held
# holder: bits | bits.cache_info | bits.__wrapped__ | meter.bits
# first-bad: 1
# notice: 8
"""Character model of made-up place names. Trigram context, two layers."""
import functools
import math
import random

import torch
from torch import nn

ALPHABET = "^abcdefghijklmnoprstuvwy"
HEAD = ["ash", "beck", "cold", "dun", "elm", "gil", "high", "long", "stan", "thor", "whit", "wood"]
TAIL = ["bury", "by", "cot", "dale", "field", "ford", "ham", "ley", "ton", "thorpe", "wick", "worth"]
CONTEXT = 3


@functools.lru_cache(maxsize=None)  # <- culprit
def bits(loss):  # <- culprit
    """nats -> bits; both the bar and the plateau test ask for the same value."""
    return loss.item() / math.log(2)


@functools.lru_cache(maxsize=None)
def code(ch):
    return ALPHABET.index(ch)


def name(rng):
    return rng.choice(HEAD) + rng.choice(["", "", "er", "ing"]) + rng.choice(TAIL)


def examples(rng, n):
    xs, ys = [], []
    while len(xs) < n:
        padded = "^" * CONTEXT + name(rng) + "^"
        for i in range(len(padded) - CONTEXT):
            xs.append([code(c) for c in padded[i:i + CONTEXT]])
            ys.append(code(padded[i + CONTEXT]))
    return torch.tensor(xs[:n]), torch.tensor(ys[:n])


class CharNet(nn.Module):
    def __init__(self, dim=8, width=32):
        super().__init__()
        self.emb = nn.Embedding(len(ALPHABET), dim)
        self.mix = nn.Linear(dim * CONTEXT, width)
        self.out = nn.Linear(width, len(ALPHABET))

    def forward(self, x):
        return self.out(torch.relu(self.mix(self.emb(x).flatten(1))))


class Plateau:
    """Halves the step size when the smoothed score stops falling."""

    def __init__(self, opt, patience=60):
        self.opt, self.patience = opt, patience
        self.smooth, self.best, self.wait = None, math.inf, 0

    def update(self, score):
        self.smooth = score if self.smooth is None else 0.97 * self.smooth + 0.03 * score
        self.wait = 0 if self.smooth < self.best - 1e-3 else self.wait + 1
        self.best = min(self.best, self.smooth)
        if self.wait > self.patience:
            self.wait = 0
            for group in self.opt.param_groups:
                group["lr"] *= 0.5


def bar(step, loss):
    b = bits(loss)  # <- culprit
    print(f"{step:4d} {b:.3f} bits/char  " + "#" * round(8 * b))


def sample(net, rng):
    ctx, text = [0] * CONTEXT, ""
    with torch.no_grad():
        for _ in range(14):
            p = net(torch.tensor([ctx]))[0].softmax(0).tolist()
            k = rng.choices(range(len(p)), p)[0]
            if k == 0:
                break
            text, ctx = text + ALPHABET[k], ctx[1:] + [k]
    return text


def main():
    torch.set_num_threads(1)
    torch.manual_seed(66)
    rng = random.Random(66)
    net = CharNet()
    opt = torch.optim.Adam(net.parameters(), lr=8e-3)
    plateau = Plateau(opt)
    for step in range(400):
        x, y = examples(rng, 48)
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        plateau.update(bits(loss))  # <- culprit
        if step % 80 == 0:
            bar(step, loss)
    print(", ".join(sample(net, rng) for _ in range(6)))


if __name__ == "__main__":
    main()
