# gradwatch-corpus: kind=memory-climb
# holder: self.rows | audit.rows | sink.rows
# first-bad: 1
# after: "CPU RAM grows every epoch" / Lightning issues 15514, 5735 (outputs of every step are collected till the end); here plain lists for the audit file
"""Punctuation restoration for lecture transcripts; every decision is kept for the linguists' audit."""
import json
import queue
from dataclasses import asdict, dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

MARKS = ["", ",", ".", "?", ":"]


@dataclass
class Settings:
    vocab: int = 400
    dim: int = 64
    heads: int = 4
    seq: int = 96
    batch: int = 24
    steps: int = 210
    lr: float = 1e-3
    seed: int = 5
    audit: bool = True
    notes: dict = field(default_factory=dict)


class Bus:
    """Publish/subscribe within the process, drained once per step."""

    def __init__(self):
        self.q, self.sinks = queue.SimpleQueue(), []

    def subscribe(self, sink):
        self.sinks.append(sink)

    def publish(self, **event):
        self.q.put(event)

    def drain(self):
        while not self.q.empty():
            event = self.q.get()
            for sink in self.sinks:
                sink(event)


class Audit:
    def __init__(self):
        self.rows = []

    def __call__(self, event):
        self.rows.append({"step": event["step"], "tokens": event["tokens"],
                          "confidence": event["confidence"]})  # <- culprit

    def dump(self, n=1):
        return json.dumps([{**r, "tokens": r["tokens"][0][:5], "confidence": r["confidence"][0][0]}
                           for r in self.rows[:n]])


class Progress:
    def __init__(self, every):
        self.every = every

    def __call__(self, event):
        if event["step"] % self.every == 0:
            print(f"step {event['step']} loss {event['loss']:.3f}")


class Punctuator(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.tok = nn.Embedding(s.vocab, s.dim)
        self.mix = nn.Conv1d(s.dim, s.dim, 5, padding=2)
        self.att = nn.MultiheadAttention(s.dim, s.heads, batch_first=True)
        self.out = nn.Linear(s.dim, len(MARKS))

    def forward(self, ids):
        h = self.tok(ids)
        h = h + F.relu(self.mix(h.transpose(1, 2)).transpose(1, 2))
        h = h + self.att(h, h, h, need_weights=False)[0]
        return self.out(h)


def lectures(s):
    g = torch.Generator().manual_seed(s.seed)
    rule = torch.randint(0, len(MARKS), (s.vocab,), generator=g)
    while True:
        ids = torch.randint(0, s.vocab, (s.batch, s.seq), generator=g)
        yield ids, rule[ids]


def main(s=Settings()):
    torch.manual_seed(s.seed)
    net = Punctuator(s)
    opt = torch.optim.Adam(net.parameters(), lr=s.lr)
    bus, audit = Bus(), Audit()
    bus.subscribe(Progress(40))
    if s.audit:
        bus.subscribe(audit)
    for step, (ids, mark) in zip(range(s.steps), lectures(s)):
        logits = net(ids)
        loss = F.cross_entropy(logits.flatten(0, 1), mark.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        bus.publish(step=step, loss=loss.item(), tokens=ids.tolist(), confidence=logits.detach().softmax(-1).tolist())
        bus.drain()
    print(audit.dump(), list(asdict(s))[:3])


if __name__ == "__main__":
    main()
