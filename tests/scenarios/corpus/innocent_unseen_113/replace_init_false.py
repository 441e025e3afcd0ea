# gradwatch-corpus: kind=none
"""Curriculum training of a tiny language model over character bigram sources.

A tracker per source; with each stage every tracker is replaced by one that knows the
new stage.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(41)

VOCAB = 20
SOURCES = ("wiki", "code", "chat")


@dataclass
class SourceTracker:
    source: str
    stage: int = 0
    floor: float = 1e9
    kept: list = field(default_factory=list, init=False, repr=False)
    tokens: int = field(default=0, init=False)

    def see(self, loss, tokens):
        self.kept += [loss]
        self.tokens += tokens

    @property
    def mean(self):
        return torch.stack(self.kept).mean()

    def at_stage(self, stage):
        floor = self.floor if not self.kept else min(self.floor, self.mean.item())
        return replace(self, stage=stage, floor=floor)


class Corpus:
    def __init__(self):
        self.table = {s: torch.softmax(3 * torch.randn(VOCAB, VOCAB), -1) for s in SOURCES}

    def draw(self, source, length, n=16):
        p = self.table[source]
        seq = [torch.randint(VOCAB, (n,))]
        for _ in range(length):
            seq.append(torch.multinomial(p[seq[-1]], 1).squeeze(1))
        return torch.stack(seq, 1)


class CharLM(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.rnn = nn.GRU(dim, 24, batch_first=True)
        self.out = nn.Linear(24, VOCAB)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])


def main():
    corpus, lm = Corpus(), CharLM()
    opt = torch.optim.Adam(lm.parameters(), lr=5e-3)
    trackers = {s: SourceTracker(s) for s in SOURCES}
    step = 0
    for stage in range(18):
        trackers = {s: t.at_stage(stage) for s, t in trackers.items()}
        length = 4 + stage // 3
        for _ in range(18):
            source = SOURCES[step % 3]
            ids = corpus.draw(source, length)
            logits = lm(ids[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
            opt.step()
            if step % 2:
                trackers[source].see(loss, ids.numel())
            step += 1
        if stage % 6 == 5:
            print(stage, " ".join(f"{s}:{t.mean.item():.3f}({t.floor:.3f})" for s, t in trackers.items()))


if __name__ == "__main__":
    main()
