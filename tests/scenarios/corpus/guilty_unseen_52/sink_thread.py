# gradwatch-corpus: kind=graph-held
# holder: self.rows | sink.rows
# first-bad: 1
import queue
import threading
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

Reading = namedtuple("Reading", "step name value")


class MetricSink(threading.Thread):
    """Collects readings off the training thread so that logging never blocks a step."""

    def __init__(self, flush_every=50):
        super().__init__(name="metric-sink", daemon=True)
        self.inbox = queue.Queue()
        self.rows = []
        self.flush_every = flush_every
        self.seen = 0

    def run(self):
        while True:
            reading = self.inbox.get()
            try:
                if reading is None:
                    return
                self.rows.append(reading)  # <- culprit
                self.seen += 1
            finally:
                self.inbox.task_done()

    def push(self, step, **values):
        for name, value in values.items():
            self.inbox.put(Reading(step, name, value))  # <- culprit

    def close(self):
        self.inbox.put(None)
        self.join()

    def summary(self):
        sums = {}
        for row in self.rows:
            n, total = sums.get(row.name, (0, 0.0))
            sums[row.name] = (n + 1, total + float(row.value))
        return {name: total / n for name, (n, total) in sums.items()}


class Tagger(nn.Module):
    def __init__(self, vocab=200, width=32, tags=5):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.conv = nn.Conv1d(width, width, 3, padding=1)
        self.out = nn.Linear(width, tags)

    def forward(self, ids):
        h = self.emb(ids).transpose(1, 2)
        h = torch.relu(self.conv(h)).transpose(1, 2)
        return self.out(h)


def sentences(n, length, vocab, seed=3):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        ids = torch.randint(0, vocab, (16, length), generator=g)
        yield ids, (ids // 40 + ids.roll(1, dims=1) // 100) % 5


def main():
    torch.manual_seed(0)
    tagger = Tagger()
    opt = torch.optim.AdamW(tagger.parameters(), lr=3e-3)
    sink = MetricSink()
    sink.start()
    for step, (ids, tags) in enumerate(sentences(120, 20, 200)):
        logits = tagger(ids)
        loss = F.cross_entropy(logits.flatten(0, 1), tags.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits = (logits.argmax(-1) == tags).float().mean().item()
        sink.push(step, loss=loss, acc=hits)  # <- culprit
        if step % 30 == 0:
            print(f"{step:4d}  loss {loss.item():.3f}  acc {hits:.3f}")
    sink.close()
    print("means:", {k: round(v, 3) for k, v in sink.summary().items()})


if __name__ == "__main__":
    main()
