# gradwatch-corpus: kind=graph-held
# holder: self.buffer | black_box.buffer | record.args | self.buffer[-1].args | black_box.buffer[-1].args | log.handlers[0].buffer | self.log.handlers[0].buffer
# first-bad: 1
"""Sequence tagger; debug records stay in memory and are written out only if the run fails."""
import io
import logging
import logging.handlers

import torch
from torch import nn

log = logging.getLogger("tagger")


def install_black_box(capacity=5000):
    tape = io.StringIO()
    writer = logging.StreamHandler(tape)
    writer.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    black_box = logging.handlers.MemoryHandler(
        capacity, flushLevel=logging.ERROR, target=writer, flushOnClose=False
    )
    log.addHandler(black_box)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    return black_box, tape


class Journal:
    def __init__(self, every):
        self.every = every

    def note(self, step, **fields):
        log.debug("step %d %s", step, fields)  # <- culprit
        if step % self.every == 0:
            print(f"step {step:3d} " + " ".join(f"{k}={float(v):.4f}" for k, v in fields.items()))


class Tagger(nn.Module):
    def __init__(self, vocab, dim, tags):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True, bidirectional=True)
        self.tag = nn.Linear(2 * dim, tags)

    def forward(self, tokens):
        states, _ = self.rnn(self.embed(tokens))
        return self.tag(states), states


def sentences(steps, vocab, tags, batch=16, length=10):
    gen = torch.Generator().manual_seed(6)
    base = torch.randint(tags, (vocab,), generator=gen)
    for _ in range(steps):
        tokens = torch.randint(vocab, (batch, length), generator=gen)
        before = torch.roll(base[tokens], 1, dims=1)
        yield tokens, (base[tokens] + before) % tags


def fit(model, journal, steps, smooth=1e-3):
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step, (tokens, gold) in enumerate(sentences(steps, 60, 4)):
        scores, states = model(tokens)
        nll = nn.functional.cross_entropy(scores.flatten(0, 1), gold.flatten())
        jerk = (states[:, 1:] - states[:, :-1]).pow(2).mean()
        loss = nll + smooth * jerk
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        journal.note(step, nll=nll, jerk=jerk, grad_norm=norm)  # <- culprit


def main():
    torch.manual_seed(13)
    black_box, tape = install_black_box()
    try:
        fit(Tagger(60, 20, 4), Journal(every=25), steps=100)
    except RuntimeError:
        log.exception("run failed")
        print(tape.getvalue()[-2000:])
        raise
    print("records in the black box:", len(black_box.buffer))


if __name__ == "__main__":
    main()
