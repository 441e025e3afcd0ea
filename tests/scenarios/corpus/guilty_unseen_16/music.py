# gradwatch-corpus: kind=second-backward
# holder: state
# first-bad: 4
"""Next-note model for folk melodies, trained in chunks of sixteen notes with the state handed on inside a tune.

Generators all the way: tunes -> chunks -> losses.
"""
import itertools
import random

import torch
import torch.nn.functional as F
from torch import nn

NOTES = 38          # two octaves and a bit, a rest and a bar line
CHUNK = 16
SCALE = [0, 2, 4, 5, 7, 9, 11, 12]


def tunes(seed):
    """Endless random walks on a major scale; short jigs come first, long reels later."""
    rng = random.Random(seed)
    for number in itertools.count():
        key = rng.randrange(12)
        chunks = 1 if number < 6 else rng.choice([1, 2, 3, 4])
        degree, melody = 0, []
        while len(melody) < chunks * CHUNK + 1:
            degree = min(max(degree + rng.choice([-2, -1, -1, 0, 1, 1, 2]), 0), len(SCALE) - 1)
            melody.append(2 + key + SCALE[degree])
            if len(melody) % 8 == 0:
                melody.append(1)
        yield number, torch.tensor(melody[:chunks * CHUNK + 1])


def batches(source, width):
    """Width tunes in parallel, cut to the shortest among them."""
    while True:
        group = [next(source)[1] for _ in range(width)]
        length = min(len(t) for t in group)
        length -= (length - 1) % CHUNK
        yield torch.stack([t[:length] for t in group])


class Melody(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.note = nn.Embedding(NOTES, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, NOTES)

    def forward(self, notes, state=None):
        h, state = self.rnn(self.note(notes), state)
        return self.out(h), state


def losses(model, tune_batches):
    """One loss per chunk. The state lives from chunk to chunk and ends with the tune."""
    for group in tune_batches:
        state = None
        for start in range(0, group.shape[1] - 1, CHUNK):
            notes = group[:, start:start + CHUNK]
            following = group[:, start + 1:start + CHUNK + 1]
            logits, state = model(notes, state)  # <- culprit
            yield F.cross_entropy(logits.flatten(0, 1), following.flatten()), start > 0


def sample(model, first=14, length=24):
    model.eval()
    note, state, tune = torch.tensor([[first]]), None, [first]
    with torch.no_grad():
        for _ in range(length):
            logits, state = model(note, state)
            note = logits[:, -1].argmax(1, keepdim=True)
            tune.append(int(note))
    model.train()
    return tune


def main(steps=300):
    torch.manual_seed(6)
    torch.set_num_threads(1)
    model = Melody()
    optim = torch.optim.Adam(model.parameters(), lr=4e-3)
    smooth = 0.0
    stream = losses(model, batches(tunes(seed=12), width=2))
    for step, (loss, inner) in enumerate(itertools.islice(stream, steps)):
        optim.zero_grad()
        loss.backward()
        optim.step()
        smooth += 0.05 * (loss.item() - smooth)
        if step % 50 == 0:
            print(f"chunk {step}: loss {loss.item():.3f}{' (carried)' if inner else ''}")
    print("smoothed loss", round(smooth, 3))
    print("a tune:", sample(model))


if __name__ == "__main__":
    main()
