# gradwatch-corpus: kind=graph-held
# holder: weakref.finalize | finalize | weakref.finalize._registry | finalize._registry
# first-bad: 1
# notice: 8
"""Tagger for syllable stress; reports are written when the tagger is released."""
import weakref

import torch
from torch import nn

torch.manual_seed(31)
torch.set_num_threads(1)

SYMBOLS, LENGTH, BATCH, STEPS = 40, 14, 64, 150


class Tagger(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.table = nn.Embedding(SYMBOLS, dim)
        self.mix = nn.Conv1d(dim, dim, 3, padding=1)
        self.out = nn.Linear(dim, 3)

    def forward(self, ids):
        h = self.table(ids).transpose(1, 2)
        h = torch.relu(self.mix(h)).transpose(1, 2)
        return self.out(h)


class Report:
    """Lines that appear once the object they talk about goes away."""

    def __init__(self, every=50):
        self.every = every
        self.lines = 0

    def write(self, step, loss):
        self.lines += 1
        if step % self.every == 0:
            print(f"released: step {step} loss {loss.item():.4f}")

    def on_release(self, subject, step, loss):
        weakref.finalize(subject, self.write, step, loss)  # <- culprit


def stress(ids):
    ahead = torch.roll(ids, -1, dims=1)
    return (ids > ahead).long() + ((ids + ahead) % 5 == 0).long()


def batches(count):
    for _ in range(count):
        ids = torch.randint(0, SYMBOLS, (BATCH, LENGTH))
        yield ids, stress(ids)


def train_step(tagger, opt, ids, tags):
    logits = tagger(ids)
    loss = nn.functional.cross_entropy(logits.reshape(-1, 3), tags.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss, (logits.argmax(-1) == tags).float().mean().item()


def main():
    tagger = Tagger()
    opt = torch.optim.Adam(tagger.parameters(), lr=4e-3)
    report = Report()
    right = 0.0
    for step, (ids, tags) in enumerate(batches(STEPS)):
        loss, acc = train_step(tagger, opt, ids, tags)
        report.on_release(tagger, step, loss)  # <- culprit
        right = 0.9 * right + 0.1 * acc
    print("accuracy", round(right, 3))
    del tagger, opt
    print("lines", report.lines)


if __name__ == "__main__":
    main()
