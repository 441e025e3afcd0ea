# gradwatch-corpus: kind=graph-held
# holder: self.buffer | tape.buffer | self.tape.buffer | handler.buffer | record.args | record
# first-bad: 1
# notice: 8
"""Character-level couplet generator.  Progress goes through logging so that the
same script runs under the scheduler (quiet, log flushed at exit) and by hand."""
import logging
import logging.handlers
import sys
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F

VERSES = """
the rain has written on the glass / a letter that the winds let pass
the lamp has gone to sleep at last / and dreams of oil, and of the past
a crow upon the chimney stack / says never once will spring come back
the river folds itself in two / and hides the half that once was you
""".strip()

log = logging.getLogger("couplets")


def set_up_logging(capacity=4000):
    screen = logging.StreamHandler(sys.stdout)
    screen.addFilter(lambda r: r.levelno >= logging.INFO)
    screen.setFormatter(logging.Formatter("%(levelname).1s %(message)s"))
    tape = logging.handlers.MemoryHandler(capacity, flushLevel=logging.ERROR, target=screen)  # <- culprit
    log.setLevel(logging.DEBUG)
    log.addHandler(tape)
    log.propagate = False
    return tape


class Vocab:
    def __init__(self, text):
        self.chars = sorted(set(text))
        self.ix = {c: i for i, c in enumerate(self.chars)}

    def encode(self, s):
        return torch.tensor([self.ix[c] for c in s])

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)


class Bard(nn.Module):
    def __init__(self, n, dim=32, context=24):
        super().__init__()
        self.context = context
        self.tok = nn.Embedding(n, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(context, dim))
        self.qkv = nn.Linear(dim, 3 * dim)
        self.mix = nn.Linear(dim, dim)
        self.ff = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, dim))
        self.read = nn.Linear(dim, n)

    def forward(self, ids):
        h = self.tok(ids) + self.pos[: ids.shape[1]]
        q, k, v = self.qkv(h).unsqueeze(1).chunk(3, -1)
        h = h + self.mix(F.scaled_dot_product_attention(q, k, v, is_causal=True).squeeze(1))
        return self.read(h + self.ff(h))

    @torch.no_grad()
    def recite(self, seed, length):
        ids = seed.tolist()
        for _ in range(length):
            window = torch.tensor(ids[-self.context:])[None]
            p = (self(window)[0, -1] / 0.7).softmax(-1)
            ids.append(int(torch.multinomial(p, 1)))
        return ids


def windows(data, length, batch):
    at = torch.randint(len(data) - length - 1, (batch,))
    block = torch.stack([data[i:i + length + 1] for i in at.tolist()])
    return block[:, :-1], block[:, 1:]


def train_step(bard, opt, draw):
    x, y = draw()
    logits = bard(x)
    nll = F.cross_entropy(logits.flatten(0, 1), y.flatten())
    bits = nll / 0.6931
    opt.zero_grad()
    nll.backward()
    norm = nn.utils.clip_grad_norm_(bard.parameters(), 1.0).item()
    opt.step()
    log.debug("bits/char %.3f  |g| %.2f", bits, norm)  # <- culprit


def main(steps=160):
    torch.set_num_threads(1)
    torch.manual_seed(17)
    tape = set_up_logging()
    vocab = Vocab(VERSES)
    data = vocab.encode(VERSES)
    bard = Bard(len(vocab.chars))
    opt = torch.optim.AdamW(bard.parameters(), lr=5e-3, weight_decay=0.01)
    draw = partial(windows, data, bard.context, 16)
    for k in range(steps):
        train_step(bard, opt, draw)
        if k % 50 == 0:
            log.info("after %d: %r", k, vocab.decode(bard.recite(data[:8], 40)))
    tape.close()


if __name__ == "__main__":
    main()
