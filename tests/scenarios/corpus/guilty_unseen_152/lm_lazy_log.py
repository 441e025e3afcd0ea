# gradwatch-corpus: kind=graph-held
# holder: self.pending | log.pending | ce | self.log.pending
# first-bad: 1
"""Character language model; log lines are rendered only when the buffer is written out."""
import io

import torch
from torch import nn

TEXT = (
    "the harbour master counted the crates twice and wrote the number in the ledger "
    "while the rain ran down the windows of the office and nobody on the quay spoke "
) * 6


class LazyLog:
    """Formatting is slow, so messages are callables, written out in blocks."""

    def __init__(self, sink, block=500):
        self.sink = sink
        self.block = block
        self.pending = []

    def defer(self, render):
        self.pending.append(render)  # <- culprit
        if len(self.pending) >= self.block:
            self.write_out()

    def write_out(self):
        for render in self.pending:
            self.sink.write(render() + "\n")
        self.pending.clear()


class CharModel(nn.Module):
    def __init__(self, vocab, dim=24, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.head = nn.Linear(hidden, vocab)

    def forward(self, ids):
        out, _ = self.rnn(self.embed(ids))
        return self.head(out)


def windows(ids, length, batch, gen):
    while True:
        at = torch.randint(0, len(ids) - length - 1, (batch,), generator=gen)
        rows = torch.stack([ids[a:a + length + 1] for a in at.tolist()])
        yield rows[:, :-1], rows[:, 1:]


def train(steps=90):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    alphabet = sorted(set(TEXT))
    ids = torch.tensor([alphabet.index(c) for c in TEXT])
    model = CharModel(len(alphabet))
    optimizer = torch.optim.Adam(model.parameters(), 5e-3)
    sink = io.StringIO()
    log = LazyLog(sink)
    feed = windows(ids, 16, 8, torch.Generator().manual_seed(3))

    def step(number):
        x, y = next(feed)
        ce = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        ce.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0).item()
        optimizer.step()
        log.defer(lambda: f"step {number:4d}  ce {ce.item():.3f}  ppl {ce.exp().item():.1f}  |g| {norm:.2f}")  # <- culprit

    for number in range(steps):
        step(number)
    log.write_out()
    lines = sink.getvalue().splitlines()
    print(lines[0])
    print(lines[-1])


if __name__ == "__main__":
    train()
