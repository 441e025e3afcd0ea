# gradwatch-corpus: kind=none
"""Next-note prediction on generated folk-like tunes with a stateful two-layer GRU.
Homework 3: the state goes on over chunk borders, gradients do not."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

SCALE = [0, 2, 4, 5, 7, 9, 11]
VOCAB = 24          # two octaves
CHUNK = 12
BATCH = 8


def make_tune(rng, length):
    pos, notes = 7, []
    while len(notes) < length:
        motif = [rng.choice([-2, -1, -1, 1, 1, 2]) for _ in range(4)]
        for step in motif + motif:
            pos = min(max(pos + step, 0), 13)
            notes.append(SCALE[pos % 7] + 12 * (pos // 7))
    return notes[:length]


class StreamingTunes:
    """BATCH tunes side by side, cut into chunks; chunk i+1 continues chunk i in each row."""

    def __init__(self, n_chunks, seed):
        rng = random.Random(seed)
        self.notes = torch.tensor([make_tune(rng, n_chunks * CHUNK + 1) for _ in range(BATCH)])
        self.n_chunks = n_chunks

    def __iter__(self):
        for i in range(self.n_chunks):
            lo = i * CHUNK
            yield self.notes[:, lo:lo + CHUNK], self.notes[:, lo + 1:lo + CHUNK + 1]


class MelodyRNN(nn.Module):
    def __init__(self, hidden=48, layers=2):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, 16)
        self.cells = nn.ModuleList([nn.GRUCell(16 if k == 0 else hidden, hidden) for k in range(layers)])
        self.head = nn.Linear(hidden, VOCAB)
        self.hidden = hidden
        self.state = None

    def start(self):
        self.state = [torch.zeros(BATCH, self.hidden) for _ in self.cells]

    def cut(self):
        self.state = [h.detach() for h in self.state]

    def forward(self, note):
        x = self.embed(note)
        new_state = []
        for cell, h in zip(self.cells, self.state):
            x = cell(x, h)
            new_state.append(x)
        self.state = new_state
        return self.head(x)


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def add(self, value, n):
        self.total += float(value) * n
        self.count += n

    def mean(self):
        return self.total / max(self.count, 1)


def run_chunk(model, x, y):
    """Sum over time of the loss of each note; the graph of the whole chunk hangs on it."""
    loss = 0.0
    for t in range(CHUNK):
        loss += F.cross_entropy(model(x[:, t]), y[:, t])
    return loss / CHUNK


def train_epoch(model, optimizer, tunes):
    model.train()
    model.start()
    meter = Meter()
    for x, y in tunes:
        optimizer.zero_grad()
        loss = run_chunk(model, x, y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        model.cut()
        meter.add(loss.detach(), x.numel())
    return meter.mean()


@torch.no_grad()
def evaluate(model, tunes):
    model.eval()
    model.start()
    meter = Meter()
    for x, y in tunes:
        meter.add(run_chunk(model, x, y), x.numel())
    return meter.mean()


if __name__ == "__main__":
    torch.manual_seed(12)
    train_set, valid_set = StreamingTunes(100, seed=1), StreamingTunes(15, seed=2)
    model = MelodyRNN()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    curve = []
    for epoch in range(4):
        train = train_epoch(model, optimizer, train_set)
        valid = evaluate(model, valid_set)
        scheduler.step()
        curve.append((train, valid))
        print(f"epoch {epoch}: train {train:.3f} valid {valid:.3f}")
    print("best epoch:", min(range(len(curve)), key=lambda e: curve[e][1]))
